import { newSiteFolder } from '../../cache/catalogue.ts';
import { chooseSiteName } from '../../cache/importers/site-name.ts';
import { type Resource, readManifest, type SiteManifest } from '../../cache/manifest.ts';
import { documentChainOf } from '../../cache/resource-answers.ts';
import { CONDITION_FLAGS } from '../../ground/options/network.ts';
import { readPages } from '../../ground/options/pages.ts';
import type { RawOptions } from '../../ground/options/row.ts';
import { valuesOf, wordsOf } from '../../ground/options/values.ts';
import { DESKTOP, deviceText, isSameDevice } from '../../ground/records/device.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { print as printLine } from '../../ground/system/printed.mjs';
import { shellWord } from '../../ground/system/shell-word.ts';
import type { CommandLine } from '../../runner/command-line/command-line.ts';
import { PROTOCOL_PAIR } from '../../servers/index.ts';
import { hasHttp3, type RecordDependencies, recordPage } from './command.ts';
import { documentState } from './document.ts';
import { RECORD_OPTIONS, type RecordOptions, recordingName, recordOptions } from './options.ts';

/** Defaults of a run that shows what visitors see: their networks, and transports as browsers and servers have them. */
const OF_VISITORS: RawOptions = {
  stacks: PROTOCOL_PAIR.map(({ stack }) => stack).join(),
  'receive-buffer': 'stock',
  initcwnd: 'stock',
  film: '',
};

const NETWORKS_OF_VISITORS = 'cable,lte,dsl';

/** A page that polls would be recorded, and then replayed, for as long as `npm run record` waits. */
const WAIT_S = '10';

/**
 * Records the pages of a command line, except those that the cache has unchanged, and returns the command line that measures them.
 * @param check throws if a run cannot have these options
 * @throws ExitError if a page cannot be recorded, or is an error page
 */
export async function lineOfPages(
  line: CommandLine,
  check: (line: CommandLine) => Promise<void>,
  dependencies: RecordDependencies = {},
): Promise<CommandLine> {
  const { fresh, trust, ...given } = line.given;
  const { print = printLine, folderOf = newSiteFolder } = dependencies;
  const pages = readPages(line.operands);
  const values = valuesOf(RECORD_OPTIONS, {
    wait: WAIT_S,
    ...(trust !== undefined && { trust }),
    ...(given.timeout !== undefined && { timeout: given.timeout }),
    ...(given.mobile !== undefined && { mobile: '' }),
  });
  if (given.sites !== undefined) {
    throw new UsageError(
      '--sites and the URL of a page do not go together: measure them in two runs.',
    );
  }
  const hasNetworks = ['network', 'mix', ...CONDITION_FLAGS].some((name) => given[name]);
  const options: Record<string, string | undefined> = {
    ...OF_VISITORS,
    ...(!hasNetworks && { network: NETWORKS_OF_VISITORS }),
    ...given,
  };
  const lineOf = (sites: readonly string[]): CommandLine => {
    const own = { ...options, sites: sites.join() };
    return { ...line, given: own, words: wordsOf(own), operands: [] };
  };
  await check(lineOf(pages.map(({ name }) => name)));
  const sites: string[] = [];
  for (const { name, url } of pages) {
    const recording = recordOptions(url, values);
    const usual = recordingName(name, recording.device);
    const { site } = await chooseSiteName(usual, null, folderOf, 'recorded');
    const manifest =
      (fresh === undefined ? await unchangedRecording(site, recording, dependencies) : null) ??
      (await recordPage(url, { ...values, name: site }, dependencies)).manifest;
    const { url: loaded } = assertPage(manifest);
    if (loaded !== manifest.url) {
      print(
        `${manifest.url} redirects to ${loaded}. Each load follows it; to omit it, name that URL.`,
      );
    }
    sites.push(manifest.site);
    if (hasHttp3(manifest) || given.hosts !== undefined) continue;
    options.hosts = 'own';
    print(
      `${new URL(loaded).host} does not use HTTP/3. This run shows what HTTP/3 on the page's own hosts would change (--hosts own).`,
    );
  }
  return lineOf(sites);
}

/** The recording of a page, on the wanted device, whose document has not changed since; null: there is no such recording. */
async function unchangedRecording(
  site: string,
  { url, device, trust }: RecordOptions,
  { folderOf = newSiteFolder, print = printLine, signal, agent }: RecordDependencies,
): Promise<SiteManifest | null> {
  const folder = folderOf(site);
  const manifest = await readManifest(folder).catch(() => null);
  // Older recordings lack the hosts that speak HTTP/3.
  if (manifest?.http3 === undefined) return null;
  const { device: recordedOn = DESKTOP } = manifest;
  if (!isSameDevice(recordedOn, device)) {
    print(`${site} was recorded on ${deviceText(recordedOn)}, not on ${deviceText(device)}.`);
    return null;
  }
  const options = { ...(trust && { trust }), ...(signal && { signal }), ...(agent && { agent }) };
  const state = await documentState(url, { manifest, folder }, options);
  const day = manifest.recordedAt?.slice(0, 10);
  if (state === 'changed') print(`${url} has changed since it was recorded on ${day}.`);
  if (state === 'same')
    print(`${url} is unchanged since ${day}: its recording is measured. --fresh records anew.`);
  if (state === 'unreachable')
    print(`${url} did not respond: its recording of ${day} is measured.`);
  return state === 'changed' ? null : manifest;
}

/**
 * The page's document.
 * @throws UsageError for a recorded error page, whose load times say nothing about the page
 */
function assertPage(manifest: SiteManifest): Pick<Resource, 'url' | 'status'> {
  const document = documentChainOf(manifest).at(-1) ?? { url: manifest.url, status: 0 };
  const { url, status } = document;
  if (status < 400) return document;
  throw new UsageError(
    `${url} answered with status ${status}, so nothing was measured: ${status === 401 || status === 403 ? 'it needs a log-in, or refuses this browser' : 'check the URL'}. To measure this response: npm run benchmark -- --sites ${shellWord(manifest.site)}`,
  );
}
