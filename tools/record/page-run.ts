import { siteFolder } from '../../cache/catalogue.ts';
import { chooseSiteName } from '../../cache/importers/site-name.ts';
import { readManifest, type SiteManifest } from '../../cache/manifest.ts';
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
  network: 'cable,lte,dsl',
  'receive-buffer': 'stock',
  initcwnd: 'stock',
  film: '',
};

/**
 * Records the pages of a command line, except those that the cache has unchanged, and returns the command line that measures them.
 * @throws ExitError if a page cannot be recorded, or is an error page
 */
export async function lineOfPages(
  line: CommandLine,
  dependencies: RecordDependencies = {},
): Promise<CommandLine> {
  const { fresh, trust, ...given } = line.given;
  const { print = printLine, folderOf = siteFolder } = dependencies;
  const values = valuesOf(RECORD_OPTIONS, {
    ...(trust !== undefined && { trust }),
    ...(given.mobile !== undefined && { mobile: '' }),
  });
  const sites: string[] = [];
  let ownHosts: RawOptions = {};
  for (const { name, url } of readPages(line.operands)) {
    const options = recordOptions(url, values);
    const usual = recordingName(name, options.device);
    const { site } = await chooseSiteName(usual, null, folderOf, 'recorded');
    const manifest =
      (fresh === undefined ? await unchangedRecording(site, options, dependencies) : null) ??
      (await recordPage(url, { ...values, name: site }, dependencies)).manifest;
    assertPage(manifest);
    sites.push(manifest.site);
    if (hasHttp3(manifest) || given.hosts !== undefined) continue;
    ownHosts = { hosts: 'own' };
    print(
      `${new URL(manifest.url).host} does not use HTTP/3. This run shows what HTTP/3 on the page's own hosts would change (--hosts own).`,
    );
  }
  const options = { ...OF_VISITORS, ...ownHosts, ...given, sites: sites.join() };
  return { ...line, given: options, words: wordsOf(options), operands: [] };
}

/** The recording of a page, on the wanted device, whose document has not changed since; null: there is no such recording. */
async function unchangedRecording(
  site: string,
  { url, device, trust }: RecordOptions,
  { folderOf = siteFolder, print = printLine, signal }: RecordDependencies,
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
  const options = { ...(trust && { trust }), ...(signal && { signal }) };
  const state = await documentState(url, { manifest, folder }, options);
  const day = manifest.recordedAt?.slice(0, 10);
  if (state === 'changed') print(`${url} has changed since it was recorded on ${day}.`);
  if (state === 'same')
    print(`${url} is unchanged since ${day}: its recording is measured. --fresh records anew.`);
  if (state === 'unreachable')
    print(`${url} did not respond: its recording of ${day} is measured.`);
  return state === 'changed' ? null : manifest;
}

/** @throws UsageError for a recorded error page, whose load times say nothing about the page */
function assertPage({ url, site, resources }: SiteManifest): void {
  const document = resources.find((resource) => resource.method === 'GET' && resource.url === url);
  if (document === undefined || document.status < 400) return;
  throw new UsageError(
    `${url} answered with status ${document.status}, so nothing was measured: ${document.status === 401 || document.status === 403 ? 'it needs a log-in, or refuses this browser' : 'check the URL'}. To measure this response: npm run benchmark -- --sites ${shellWord(site)}`,
  );
}
