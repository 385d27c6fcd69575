import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readHarFile } from '../../cache/importers/har-file.ts';
import { IMPORT_LIMITS } from '../../cache/limits.ts';
import { type ShownHar, showHars } from '../../clients/chromium/devtools.ts';
import { DEVTOOLS_PREFERENCES, withProfile } from '../../clients/chromium/profile.ts';
import { withWindow } from '../../clients/chromium/window.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { printable } from '../../ground/system/printed.mjs';
import { shellWord } from '../../ground/system/shell-word.ts';
import { withTemporaryFolder } from '../../ground/system/temporary-folder.ts';
import { lend } from '../../ground/system/unprivileged-user.ts';
import { counted } from '../../kit/text/number.ts';
import { readMachine } from '../../runner/machine.ts';
import {
  type FinishedRun,
  type LoadWithHar,
  loadsNamed,
  medianLoadsWithHars,
  readFinishedRun,
  whyNoMedians,
} from './finished-loads.ts';
import type { ByHand } from './measured-path.ts';

/** A HAR to open: one of a run, or anybody's. */
interface Har {
  title: string;
  file: string;
}

/**
 * Opens HARs in the Network panel of Chromium's DevTools, and waits until their windows are closed.
 * @param place the folder of a run, or a HAR
 * @param more loads of the run, by ids or parts of them; without any, median loads. Or more HARs
 * @throws UsageError when there are no such loads, or a file is no HAR; MachineError without a screen, or when the DevTools do not take
 *   the HAR; the signal's reason
 */
export async function openLoads(
  place: string,
  more: readonly string[],
  { print, say, signal }: ByHand & { print: (line: string) => void },
): Promise<void> {
  const hars = isFolder(place)
    ? await harsOfRun(place, more, { print, say })
    : [place, ...more].map(harFile);
  const { chromium } = readMachine();
  await withTemporaryFolder('by-hand', async (folder) => {
    const shown: ShownHar[] = [];
    for (const [index, har] of hars.entries()) {
      signal.throwIfAborted();
      shown.push(await unpacked(har, path.join(folder, `${index + 1}.har`)));
    }
    // Nothing more is written into the folder.
    await lend(folder, ...shown.map((har) => har.unpacked));
    const files = hars.map(({ file }) => file).join(', ');
    await withProfile(async (profileFolder) => {
      const options = {
        chromium,
        enter: [],
        profileFolder,
        // Nothing is loaded: no host has an address.
        protocol: 'h2' as const,
        origins: {},
        spkiPins: [],
        netLogFile: null,
        signal,
        instead: `Or bring the HAR to a machine that has a screen, and open it there or drag it onto the Network panel of Chromium's DevTools (F12): ${files}.`,
      };
      await withWindow(options, async (browser) => {
        await showHars(browser, shown);
        say(
          `Opened in ${counted(shown.length, 'window')}. This ends when ${shown.length === 1 ? 'it is' : 'all are'} closed, or by Ctrl-C.`,
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
    `${file}: there is ${missing}. Expected the folder of a run, for example results/latest, with the ids of loads behind it; or HAR files.`,
  );
}

/** DevTools read JSON alone. */
async function unpacked({ title, file }: Har, to: string): Promise<ShownHar> {
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

/** What is opened of a run when nobody says what, and what else there is to say. */
function chosen(run: FinishedRun, print: (line: string) => void): LoadWithHar[] {
  const [first, ...others] = medianLoadsWithHars(run);
  if (first === undefined) throw new UsageError(whyNoMedians(run));
  if (others.length > 0) {
    print('The median loads of the run, of which the first site under its first condition opens:');
    for (const medians of others) {
      for (const { id, result } of medians) print(printable(`  ${id}  ${result}`));
    }
    print(
      `Any load opens by its id, or a part that only it has: npm run open -- ${shellWord(run.folder)} ID ...`,
    );
  }
  return first;
}
