import { readFile, stat } from 'node:fs/promises';
import { ImportError } from '../../import-error.ts';
import type { ImportLimits } from '../../limits.ts';
import { isGzip } from '../file-head.ts';
import { countJsonValues } from '../json-values.ts';
import { shown } from '../shown.ts';
import { unpackedGzip } from '../unpacked-gzip.ts';

/** One request with its response in a web-page-replay archive, still as it lies there. */
export interface ReplayEntry {
  url: string;
  /** Place among the answers to the same URL, from 0. */
  index: number;
  /** Object with the two messages as text in base64, if the archive is sound. */
  entry: unknown;
}

/** What an archive holds that matters here. */
export interface ReplayArchive {
  entries: ReplayEntry[];
  /** When it was recorded; null: it does not say. */
  recordedAt: string | null;
}

/**
 * Reads a web-page-replay archive: JSON, usually packed with gzip, with a map from host to URL to the answers.
 * @throws ImportError when it is none, is damaged, or is larger than the limits say
 */
export async function readReplayArchive(
  file: string,
  limits: Readonly<ImportLimits>,
): Promise<ReplayArchive> {
  if ((await stat(file)).size > limits.fileBytes) throw tooLarge(file, limits);
  const bytes = await readFile(file);
  const json = isGzip(bytes) ? unpacked(file, bytes, limits) : bytes;
  if (
    countJsonValues(json, limits.entries * VALUES_PER_ENTRY) >
    limits.entries * VALUES_PER_ENTRY
  ) {
    throw tooMany(file, limits);
  }
  const archive = parsed(file, json);
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
      if (entries.length + answers.length > limits.entries) {
        throw tooMany(file, limits);
      }
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

function parsed(file: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new ImportError(
      `${file} is not valid JSON: ${shown((error as Error).message, 160)}. Copy or record it again; one that was cut off cannot be read.`,
    );
  }
}

function unpacked(file: string, bytes: Buffer, limits: Readonly<ImportLimits>): Buffer {
  return unpackedGzip(file, bytes, limits.fileBytes, {
    remedy: 'Copy or record it again.',
    tooLarge: () => tooLarge(file, limits),
  });
}

function tooMany(file: string, limits: Readonly<ImportLimits>): ImportError {
  return new ImportError(
    `${file} has more than ${limits.entries.toLocaleString('en-US')} entries. Give an archive of one page.`,
  );
}

function tooLarge(file: string, limits: Readonly<ImportLimits>): ImportError {
  return new ImportError(
    `${file} has, or unpacks to, more than ${limits.fileBytes.toLocaleString('en-US')} bytes. Give an archive of one page.`,
  );
}

/** The recorder writes the time that it began, for the clock that pages see at replay. 0: an old version, which did not. */
function momentOf(timeMs: unknown): string | null {
  if (typeof timeMs !== 'number' || !(timeMs > 0 && timeMs <= 8.64e15)) return null;
  return new Date(timeMs).toISOString();
}
