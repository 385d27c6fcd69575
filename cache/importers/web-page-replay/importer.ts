import path from 'node:path';
import { type ImportLimits, importBudget } from '../../limits.ts';
import { headOf } from '../file-head.ts';
import { readRequest, readResponse, typeOfRequest } from '../http-message.ts';
import type { PageImporter } from '../importer.ts';
import { type ArchiveContent, addEntry, type ReadEntry, readersOf } from '../recording-of.ts';
import { shown } from '../shown.ts';
import { isObject, readReplayArchive } from './archive.ts';

export const WEB_PAGE_REPLAY: PageImporter = {
  recognise: async (archive) => {
    const head = await headOf(archive);
    if (head === null) return false;
    return /\.wprgo$/i.test(archive) || /^\s*\{\s*"Requests"\s*:/.test(head.toString('latin1'));
  },
  ...readersOf('a web-page-replay archive', contentOf),
};

async function contentOf(archive: string, limits: Readonly<ImportLimits>): Promise<ArchiveContent> {
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
  limits: Readonly<ImportLimits>,
): ReadEntry {
  if (!isObject(entry)) return 'it is no object';
  if (Array.isArray(entry.WebSocketMessages)) return 'it is a WebSocket';
  const requestBytes = fromBase64(entry.SerializedRequest);
  const responseBytes = fromBase64(entry.SerializedResponse);
  if (requestBytes === null || responseBytes === null) return 'it is no valid base64';
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

/** Bytes as the recorder writes them; empty where it writes none, as for a request that failed. Null: not base64. */
function fromBase64(text: unknown): Buffer | null {
  if (text === null || text === undefined) return Buffer.alloc(0);
  if (typeof text !== 'string') return null;
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is not base64, and then it is not the same text again. Comparing sizes does without that text.
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return text.length % 4 === 0 && bytes.length === (text.length / 4) * 3 - padding ? bytes : null;
}
