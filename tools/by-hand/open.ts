import { existsSync } from 'node:fs';
import type { Given } from '../../ground/options/row.ts';
import { UsageError } from '../../ground/system/errors.ts';
import type { ByHand } from './measured-path.ts';
import { openLoads } from './open-loads.ts';
import { openSite } from './open-site.ts';

/**
 * Opens a site of the cache, or finished loads, in Chromium until its windows are closed.
 * @param place a site, the folder of a run, or a HAR
 * @param more behind a run or a HAR: loads, or HARs
 * @param given options of OPEN_OPTIONS, which a site alone takes
 * @throws ExitError as openSite() and openLoads() do
 */
export async function openCommand(
  place: string,
  more: readonly string[],
  given: Given,
  byHand: ByHand & { print: (line: string) => void },
): Promise<void> {
  if (!namesSite(place)) {
    const [option] = Object.keys(given);
    if (option === undefined) return openLoads(place, more, byHand);
    throw new UsageError(
      `--${option} goes with a site, which is served and loaded. ${place} is loaded already: leave --${option} out, or name a site (npm run sites lists them).`,
    );
  }
  if (more.length === 0) return openSite(place, given, byHand);
  throw new UsageError(`One site at a time; there is also ${more.join(', ')}.`);
}

/** Whether a word is to name a site, be it by a URL: it is no file that is there, nor looks like one. */
function namesSite(place: string): boolean {
  if (existsSync(place)) return false;
  return /^https?:/i.test(place) || !/\/|\.har(\.\w+)?$/i.test(place);
}
