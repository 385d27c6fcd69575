import path from 'node:path';
import { countText } from '../../../kit/text/number.ts';
import { ImportError, shown } from '../../import-error.ts';
import { type ImportLimits, importBudget } from '../../limits.ts';
import { headOf, parsedJson, readArchiveFile } from '../archive-file.ts';
import { readRequest, readResponse, typeOfRequest } from '../http-message.ts';
import type { PageImporter } from '../importer.ts';
import { countJsonValues } from '../json.ts';
import { type ArchiveContent, addEntry, type ReadEntry, readersOf } from '../recording-of.ts';

export const WEB_PAGE_REPLAY: PageImporter = {
  recognise: async (archive) => {
    const head = await headOf(archive);
    if (head === null) return false;
    return /\.wprgo$/i.test(archive) || /^\s*\{\s*"Requests"\s*:/.test(head.toString('latin1'));
  },
  ...readersOf('a web-page-replay archive', contentOf),
};

async function contentOf(archive: string, limits: ImportLimits): Promise<ArchiveContent> {
  const { entries, recordedAt } = await readReplayArchive(archive, limits);
  const budget = importBudget(archive, limits);
  const content: ArchiveContent = { exchanges: [], notes: [], recordedAt };
  for (const { url, index, entry } of entries) {
    const name = index === 0 ? shown(url) : `${shown(url)} (answer ${index + 1})`;
    const where = `${path.basename(archive)}, ${name}`;
    addEntry(content, where, exchangeOf(entry, { url, where }, limits), budget);
  }
  return content;
}

function exchangeOf(
  entry: unknown,
  { url, where }: { url: string; where: string },
  limits: ImportLimits,
): ReadEntry {
  if (!isObject(entry)) return 'it is not an object';
  if (Array.isArray(entry.WebSocketMessages)) return 'it is a WebSocket';
  const requestBytes = fromBase64(entry.SerializedRequest);
  const responseBytes = fromBase64(entry.SerializedResponse);
  if (requestBytes === null || responseBytes === null) return 'it is not valid base64';
  const request = readRequest(requestBytes, limits);
  if (request === null) return 'its request does not begin with a request line';
  if (responseBytes.length === 0) return 'it had no response';
  const response = readResponse(responseBytes, limits);
  if (typeof response === 'string') return response;
  const { status, headers, body, notes } = response;
  const { method, headers: requestHeaders } = request;
  return {
    exchange: {
      where,
      method,
      url,
      status,
      headers,
      body,
      bodyIs: 'as sent',
      type: typeOfRequest(requestHeaders),
      requestHeaders,
    },
    notes,
  };
}

/** Decodes base64; empty for a missing text, as of a failed request. null: not base64. */
function fromBase64(text: unknown): Buffer | null {
  if (text === null || text === undefined) return Buffer.alloc(0);
  if (typeof text !== 'string') return null;
  const bytes = Buffer.from(text, 'base64');
  // Node skips invalid characters; compares sizes instead of encoding again.
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding ? bytes : null;
}

interface ReplayEntry {
  url: string;
  /** Index among the answers to the same URL, from 0. */
  index: number;
  /** Object with both messages in base64, if the archive is valid. */
  entry: unknown;
}

/**
 * Reads a web-page-replay archive: JSON, usually in gzip, with a map from host to URL to answers.
 * The time of the recording is null if missing.
 * @throws ImportError when it is not valid, is damaged, or exceeds the limits
 */
async function readReplayArchive(
  file: string,
  limits: ImportLimits,
): Promise<{ entries: ReplayEntry[]; recordedAt: string | null }> {
  const words = { archive: 'an archive', again: 'Copy or record it again' };
  const json = await readArchiveFile(file, limits, words);
  const tooMany = () =>
    new ImportError(
      `${file} has more than ${countText(limits.entries)} entries. Give an archive of one page.`,
    );
  const maxValues = limits.entries * VALUES_PER_ENTRY;
  if (countJsonValues(json, maxValues) > maxValues) throw tooMany();
  const archive = parsedJson(file, json, words.again);
  if (!isObject(archive) || !isObject(archive.Requests)) {
    throw new ImportError(
      `${file} is JSON, but not a web-page-replay archive: it has no map "Requests".`,
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

/** An entry has six values; leaves room for those that are not read here. */
const VALUES_PER_ENTRY = 50;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The recorder's start time, for the clock of replayed pages. 0: an old version without it. */
function momentOf(timeMs: unknown): string | null {
  if (typeof timeMs !== 'number' || !(timeMs > 0 && timeMs <= 8.64e15)) return null;
  return new Date(timeMs).toISOString();
}
