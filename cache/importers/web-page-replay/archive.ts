import { ImportError } from '../../import-error.ts';
import type { ImportLimits } from '../../limits.ts';
import { parsedJson, readArchiveFile } from '../archive-file.ts';
import { countJsonValues } from '../json-values.ts';

/** One request with its response in a web-page-replay archive, still as it lies there. */
interface ReplayEntry {
  url: string;
  /** Place among the answers to the same URL, from 0. */
  index: number;
  /** Object with the two messages as text in base64, if the archive is sound. */
  entry: unknown;
}

/**
 * Reads a web-page-replay archive: JSON, usually packed with gzip, with a map from host to URL to the answers.
 * When it was recorded is null where it does not say.
 * @throws ImportError when it is none, is damaged, or is larger than the limits say
 */
export async function readReplayArchive(
  file: string,
  limits: Readonly<ImportLimits>,
): Promise<{ entries: ReplayEntry[]; recordedAt: string | null }> {
  const words = { archive: 'an archive', again: 'Copy or record it again' };
  const json = await readArchiveFile(file, limits, words);
  const tooMany = () =>
    new ImportError(
      `${file} has more than ${limits.entries.toLocaleString('en-US')} entries. Give an archive of one page.`,
    );
  const mostValues = limits.entries * VALUES_PER_ENTRY;
  if (countJsonValues(json, mostValues) > mostValues) throw tooMany();
  const archive = parsedJson(file, json, words.again);
  if (!isObject(archive) || !isObject(archive.Requests)) {
    throw new ImportError(
      `${file} is JSON, but no web-page-replay archive: it has no map "Requests".`,
    );
  }
  const entries: ReplayEntry[] = [];
  for (const urls of Object.values(archive.Requests)) {
    if (!isObject(urls)) continue;
    for (const [url, answers] of Object.entries(urls)) {
      if (!Array.isArray(answers)) continue;
      if (entries.length + answers.length > limits.entries) throw tooMany();
      for (const [index, entry] of answers.entries()) entries.push({ url, index, entry });
    }
  }
  return { entries, recordedAt: momentOf(archive.DeterministicTimeSeedMs) };
}

/** An entry has six values; this leaves room for all that is not read here. */
const VALUES_PER_ENTRY = 50;

/** Whether a value out of the archive's JSON is an object with fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The recorder writes the time that it began, for the clock that pages see at replay. 0: an old version, which did not. */
function momentOf(timeMs: unknown): string | null {
  if (typeof timeMs !== 'number' || !(timeMs > 0 && timeMs <= 8.64e15)) return null;
  return new Date(timeMs).toISOString();
}
