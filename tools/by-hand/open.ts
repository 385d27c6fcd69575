import { existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readHarFile } from '../../cache/importers/har-file.ts';
import { IMPORT_LIMITS } from '../../cache/limits.ts';
import { type HarWindow, showHars } from '../../clients/chromium/devtools.ts';
import { openWithNetworkPanel } from '../../clients/chromium/network-panel.ts';
import { DEVTOOLS_PREFERENCES, withProfile } from '../../clients/chromium/profile.ts';
import { assertScreen } from '../../clients/chromium/screen.ts';
import { withScreenEverywhere } from '../../clients/chromium/screen-relay.ts';
import { withWindow } from '../../clients/chromium/window.ts';
import type { RawOptions } from '../../ground/options/row.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { printable } from '../../ground/system/printed.mjs';
import { shellWord } from '../../ground/system/shell-word.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { lend } from '../../ground/system/unprivileged-user.ts';
import { countWithNoun } from '../../kit/text/number.ts';
import { readMachine } from '../../runner/machine.ts';
import { browserOf } from './browser.ts';
import {
  type FinishedRun,
  type LoadWithHar,
  loadsNamed,
  medianLoadsWithHars,
  readFinishedRun,
  whyNoMedians,
} from './finished-loads.ts';
import { readSiteRequest } from './manual-request.ts';
import type { ManualOutput } from './measure-path.ts';
import { proofLines } from './proof.ts';
import { type SiteByHand, withSiteByHand } from './site.ts';
import { untilStopped } from './until-stopped.ts';

/**
 * Opens a cached site, or finished loads, in Chromium until its windows are closed.
 * @param place a site, the folder of a run, or a HAR
 * @param more loads of the run, or further HARs
 * @param given options of OPEN_OPTIONS; only for a site
 * @throws ExitError as openSite() and openLoads() do
 */
export async function openCommand(
  place: string,
  more: readonly string[],
  given: RawOptions,
  byHand: ManualOutput & { print: (line: string) => void },
): Promise<void> {
  if (!namesSite(place)) {
    const [option] = Object.keys(given);
    if (option === undefined) return openLoads(place, more, byHand);
    throw new UsageError(
      `--${option} needs a site, and ${place} is a finished load. Remove --${option}, or name a site (list them with npm run sites).`,
    );
  }
  if (more.length === 0) return openSite(place, given, byHand);
  throw new UsageError(`Only one site at a time: remove ${more.join(', ')}.`);
}

/** Whether a word names a site: no such file exists, and it does not look like one. */
function namesSite(place: string): boolean {
  if (existsSync(place)) return false;
  return /^https?:/i.test(place) || !/\/|\.har(\.\w+)?$/i.test(place);
}

const INSTEAD = 'Or use npm run serve, which prints how to connect to the site without a window.';

/**
 * Serves a site over a measured path and opens it in a Chromium window, until it is closed.
 * @param given options of SITE_BY_HAND_OPTIONS, and `devtools`
 * @throws UsageError, MachineError, ServerError and NetworkError as a run does; MachineError without a screen; the signal's reason
 */
async function openSite(
  site: string,
  { devtools, ...given }: RawOptions,
  byHand: ManualOutput,
): Promise<void> {
  const request = readSiteRequest(site, given);
  const { condition } = request;
  await assertScreen(INSTEAD);
  await withSiteByHand(request, byHand, (served) => {
    for (const line of proofLines(served.calibration, condition)) byHand.say(line);
    const { manifest, server } = served;
    byHand.say(`\nOpening ${manifest.url} by ${server.stack.label}, until its window is closed.`);
    return whileServed(served, byHand.signal, (signal) =>
      withScreenEverywhere((environment) =>
        withProfile(async (profileFolder) => {
          const { enter, url, ...options } = await browserOf(served, profileFolder);
          const window = {
            ...options,
            enter: [...environment, ...enter],
            signal,
            instead: INSTEAD,
          };
          if (devtools === undefined) return withWindow({ ...window, url });
          // The Network panel lacks requests from before it was open.
          return withWindow(window, (browser) => openWithNetworkPanel(browser, manifest.url));
        }, DEVTOOLS_PREFERENCES),
      ),
    );
  });
}

/** Aborts the use when the server ends or the path breaks. */
async function whileServed(
  served: SiteByHand,
  signal: AbortSignal,
  use: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const used = use(either)
    .catch(async (error: Error) => {
      // A path that breaks, or its server, may end the browser, and is then the cause.
      if (!either.aborted) {
        await served.path.count();
        served.server.assertAlive();
      }
      throw error;
    })
    .finally(() => over.abort());
  const gone = untilStopped(served, either).catch((error: Error) => over.abort(error));
  await Promise.all([used, gone]);
}

/** A HAR to open, of a run or from elsewhere. */
type Har = Pick<HarWindow, 'title' | 'file'>;

/**
 * Opens HARs in the Network panel of Chromium's DevTools, and waits until their windows are closed.
 * @param place the folder of a run, or a HAR
 * @param more loads of the run, by ids or parts of them (default: median loads); or further HARs
 * @throws UsageError for unknown loads and files that are no HAR; MachineError without a screen, or if the DevTools reject the HAR; the
 *   signal's reason
 */
async function openLoads(
  place: string,
  more: readonly string[],
  { print, say, signal }: ManualOutput & { print: (line: string) => void },
): Promise<void> {
  const hars = isFolder(place)
    ? await harsOfRun(place, more, { print, say })
    : [place, ...more].map(harFile);
  const { chromium } = readMachine();
  await withTemporaryFolder('by-hand', async (folder) => {
    const shown: HarWindow[] = [];
    for (const [index, har] of hars.entries()) {
      signal.throwIfAborted();
      shown.push(await unpacked(har, path.join(folder, `${index + 1}.har`)));
    }
    // The folder is complete now.
    await lend(folder, ...shown.map((har) => har.unpacked));
    const files = hars.map(({ file }) => file).join(', ');
    await withProfile(async (profileFolder) => {
      const options = {
        chromium,
        enter: [],
        profileFolder,
        // Nothing is loaded, so no host needs an address.
        protocol: 'h2' as const,
        origins: {},
        spkiPins: [],
        netLogFile: null,
        signal,
        instead: `Or open the HAR on a machine with a screen, for example in the Network panel of Chromium's DevTools (F12): ${files}.`,
      };
      await withWindow(options, async (browser) => {
        await showHars(browser, shown);
        say(
          `Opened in ${countWithNoun(shown.length, 'window')}. Ends when ${shown.length === 1 ? 'it is' : 'all are'} closed, or by Ctrl-C.`,
        );
      });
    }, DEVTOOLS_PREFERENCES);
  });
}

function isFolder(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function harFile(file: string): Har {
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) {
    return { title: path.basename(file), file };
  }
  const missing = /\.har(\.\w+)?$/i.test(file) ? 'no such file' : 'no such run yet';
  throw new UsageError(
    `${file}: there is ${missing}. Expected the folder of a run, for example results/latest, followed by ids of loads; or HAR files.`,
  );
}

/** DevTools read only uncompressed JSON. */
async function unpacked({ title, file }: Har, to: string): Promise<HarWindow> {
  const { log } = await readHarFile(file, IMPORT_LIMITS);
  await writeFile(to, JSON.stringify({ log }));
  return { title, file, unpacked: to, entries: (log as { entries: unknown[] }).entries.length };
}

async function harsOfRun(
  folder: string,
  words: readonly string[],
  { print, say }: { print: (line: string) => void; say: (line: string) => void },
): Promise<Har[]> {
  const run = await readFinishedRun(folder, say);
  const loads = words.length > 0 ? loadsNamed(run, words) : chosen(run, print);
  for (const { id, where, result, har } of loads)
    print(printable(`${id}  (${where}): ${result}, ${har}`));
  return loads.map(({ arm, result, where, har }) => ({
    title: `${arm}: ${result}, ${where}`,
    file: har,
  }));
}

/** Default loads of a run; lists the remaining median loads. */
function chosen(run: FinishedRun, print: (line: string) => void): LoadWithHar[] {
  const [first, ...further] = medianLoadsWithHars(run);
  if (first === undefined) throw new UsageError(whyNoMedians(run));
  if (further.length > 0) {
    print('Opening the median loads of the first site and condition. All median loads:');
    for (const medians of further) {
      for (const { id, result } of medians) print(printable(`  ${id}  ${result}`));
    }
    print(
      `Any load opens by its id, or a unique part of it: npm run open -- ${shellWord(run.folder)} ID ...`,
    );
  }
  return first;
}
