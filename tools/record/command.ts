import type { Agent } from 'node:https';
import { newSiteFolder } from '../../cache/catalogue.ts';
import { speaksHttp3 } from '../../cache/http3.ts';
import { chooseSiteName } from '../../cache/importers/site-name.ts';
import { type SiteManifest, writeSite } from '../../cache/manifest.ts';
import { documentChainOf } from '../../cache/resource-answers.ts';
import { shorten, siteLines } from '../../cache/site-lines.ts';
import { siteOfRecording } from '../../cache/site-of-recording.ts';
import { liveFlags } from '../../clients/chromium/live-flags.ts';
import { livePageError } from '../../clients/chromium/live-page-error.ts';
import { sandboxWarning } from '../../clients/chromium/sandbox.ts';
import { pageName } from '../../ground/options/pages.ts';
import { DESKTOP, deviceText, isSameDevice } from '../../ground/records/device.ts';
import type { Stack } from '../../ground/stack.ts';
import { print as printLine } from '../../ground/system/printed.mjs';
import { shellLine } from '../../ground/system/shell-word.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { type Machine, readMachine } from '../../runner/machine.ts';
import { STACKS } from '../../servers/index.ts';
import type { requestHttpsRecords } from '../probe/name-server.ts';
import { type Capture, capture } from './capture.ts';
import { compareLoads, comparisonLines } from './comparison.ts';
import { http3Line, testHttp3 } from './http3.ts';
import { type RecordOptions, type RecordValues, recordingName, recordOptions } from './options.ts';
import { replay } from './replay.ts';

/** Folders, output and flags, which tests replace. */
export interface RecordDependencies {
  folderOf?: (site: string) => string;
  print?: (line: string) => void;
  /** Chromium's first flags for the live load. */
  moreFlags?: readonly string[];
  httpsRecords?: typeof requestHttpsRecords;
  /** Connects to the live page for requests without a browser. */
  agent?: Agent;
  signal?: AbortSignal;
}

export interface RecordedPage {
  manifest: SiteManifest;
  folder: string;
  live: Capture;
}

/** Runs `npm run record`. */
export async function recordCommand(
  address: string,
  values: RecordValues,
  dependencies: RecordDependencies,
): Promise<RecordedPage> {
  const recorded = await recordPage(address, values, dependencies);
  const { print = printLine } = dependencies;
  const { manifest } = recorded;
  const { name, viewport, mobile } = values;
  // A page at a URL is measured by a recording with the usual name and device.
  const isUsual = name === null && viewport === null;
  const words = isUsual
    ? [manifest.url, ...(mobile ? ['--mobile'] : [])]
    : ['--sites', manifest.site, ...(hasHttp3(manifest) ? [] : ['--hosts', 'own'])];
  print(`Benchmark it: npm run benchmark -- ${shellLine(words)}`);
  return recorded;
}

/**
 * Records a live page as a cached site and replays it once to compare.
 * @throws ExitError if the page cannot be recorded, with the cache unchanged; or if it cannot be replayed, with the page in the cache
 */
export async function recordPage(
  address: string,
  values: RecordValues,
  dependencies: RecordDependencies,
): Promise<RecordedPage> {
  const { print = printLine, signal } = dependencies;
  const options = recordOptions(address, values);
  const machine = readMachine();
  const recorded = await record(options, machine, dependencies);
  const stack = checkingStack();
  const replayed = await replay({
    ...options,
    ...recorded,
    machine,
    stack,
    signal,
    siteFolder: recorded.folder,
  });
  const { manifest, live } = recorded;
  const compared = compareLoads(live.exchanges, replayed.exchanges, manifest);
  for (const line of comparisonLines(compared, replayed, stack.label)) print(line);
  return recorded;
}

/** Whether the page's own host speaks HTTP/3, without which loads as recorded are refused. */
export function hasHttp3(manifest: SiteManifest): boolean {
  const { url } = documentChainOf(manifest).at(-1) ?? manifest;
  return speaksHttp3(manifest.http3?.[new URL(url).host]);
}

/** Most live pages use HTTP/2. */
function checkingStack(): Stack {
  const stack = STACKS.find(({ protocol }) => protocol === 'h2');
  if (!stack) throw new Error('no stack of HTTP/2');
  return stack;
}

async function record(
  options: RecordOptions,
  machine: Machine,
  {
    folderOf = newSiteFolder,
    print = printLine,
    moreFlags = [],
    httpsRecords,
    signal = new AbortController().signal,
  }: RecordDependencies,
): Promise<RecordedPage> {
  const { url, name, device } = options;
  // Fails before the load, which takes long.
  const { site, replaces } = await chooseSiteName(
    recordingName(pageName(url), device),
    name,
    folderOf,
    'recorded',
  );
  const warning = sandboxWarning(machine.chromium);
  if (warning !== null) print(warning);
  print(`Loading ${url} in Chromium ...`);
  const live = await capture({
    ...options,
    signal,
    chromium: machine.chromium,
    flags: (profileFolder, netLogFile) => [
      ...moreFlags,
      ...liveFlags({ profileFolder, netLogFile }),
    ],
  });
  const error = livePageError(url, live);
  if (error) throw error;
  const page = siteOfRecording(
    {
      documentUrl: url,
      source: sourceOf(options, live),
      recordedAt: live.startedAt,
      ...(live.loadedAt === null ? {} : { loadedAt: live.loadedAt }),
      exchanges: live.exchanges,
      notes: [...notesOf(options, live), ...live.notes],
    },
    { file: url, kind: 'recorded' },
  );
  const http3 = await testHttp3(page.manifest, live.exchanges, {
    bun: machine.bun,
    signal,
    ...(httpsRecords && { httpsRecords }),
  });
  const manifest: SiteManifest = {
    ...page.manifest,
    site,
    http3,
    ...(!isSameDevice(device, DESKTOP) && { device }),
  };
  const folder = folderOf(site);
  await writeSite(folder, manifest, page.bodies);
  const about = { done: 'Recorded', folder, replaces, notes: page.notes };
  for (const line of siteLines(manifest, about)) print(line);
  print(shorten(http3Line(http3)));
  return { manifest, folder, live };
}

/** Shown wherever the site is shown. */
function sourceOf({ url, device, scroll }: RecordOptions, { startedAt }: Capture): string {
  return `recorded live from ${url} on ${startedAt.slice(0, 10)} on ${deviceText(device)}${scroll ? ', scrolled to its end' : ''}`;
}

/** Caveats of the load. */
function notesOf(
  { url, scroll, waitS }: RecordOptions,
  { document, unfinished, isQuiet }: Capture,
): string[] {
  const notes: string[] = [];
  if (document && document.status >= 400) {
    notes.push(`the page itself has status ${document.status}: check the URL`);
  }
  if (document?.url.startsWith('http:')) {
    notes.push('the page was loaded over http; it is served over https');
  } else if (url.startsWith('http:')) {
    notes.push(`the page was requested over http and loaded over https: ${document?.url}`);
  }
  if (!isQuiet || unfinished > 0) {
    const requests = countWithNoun(unfinished, 'request');
    notes.push(
      `the page was not quiet ${waitS} s after its load, when recording stopped (${requests} had not ended); see --wait`,
    );
  }
  if (scroll) notes.push('measured loads do not scroll: they may request fewer resources');
  return notes;
}
