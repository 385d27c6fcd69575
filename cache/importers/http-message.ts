import { shown } from '../import-error.ts';
import type { ImportLimits } from '../limits.ts';
import type { ResourceType } from '../manifest.ts';
import {
  headerValue,
  parseHeaderLines,
  parseSavedResponse,
  type SavedResponse,
} from './header-block.ts';

/** A response as a program recorded it off the connection; its body without chunks, in its content coding. */
export interface ReceivedResponse extends Omit<SavedResponse, 'strayLines'> {
  /** What is not as the headers say. */
  notes: string[];
}

export interface SentRequest {
  method: string;
  /** What stands between method and version: a path, or a URL. */
  target: string;
  headers: [name: string, value: string][];
}

/** Room for responses such as `100 Continue` before the one that counts. */
const INTERIM_BYTES = 64 * 1024;

/**
 * Reads a response as HTTP/1.1 writes it: status line, headers, empty line, body, perhaps in chunks.
 * A sentence part instead of a response says why it is none.
 */
export function readResponse(message: Uint8Array, limits: ImportLimits): ReceivedResponse | string {
  // Lines are only looked for where headers may be, or a body of nothing but lines would become millions of them.
  const top = message.subarray(0, limits.headerBytes + INTERIM_BYTES);
  const parsed = parseSavedResponse(top);
  if (parsed === null) {
    const line = Buffer.from(top.subarray(0, 80)).toString('latin1').split(/\r?\n/, 1)[0] ?? '';
    return `it does not begin with a status line: ${JSON.stringify(shown(line, 40))}`;
  }
  if (parsed.body.length === 0 && top.length < message.length) {
    return `its headers have more than ${limits.headerBytes} bytes`;
  }
  const sent = message.subarray(top.length - parsed.body.length);
  const notes: string[] = [];
  if (parsed.strayLines.length > 0) {
    notes.push(`lines among the headers dropped that are no header: ${parsed.strayLines.length}`);
  }
  const { status, headers } = parsed;
  return { status, headers, body: bodyOf(status, headers, sent, notes), notes };
}

/**
 * The body as the content coding has it, out of what came after the headers.
 * @param notes gets what is not as the headers say
 */
export function bodyOf(
  status: number,
  headers: [name: string, value: string][],
  sent: Uint8Array,
  notes: string[],
): Uint8Array {
  const coding = headerValue(headers, 'transfer-encoding')?.trim().toLowerCase() ?? '';
  // A transfer coding makes the length void (RFC 9112, section 6.3), also where the program took the chunks away.
  if (coding.split(',').at(-1)?.trim() === 'chunked') return withoutChunks(sent) ?? sent;
  const length = headerValue(headers, 'content-length');
  if (length !== null && Number(length) !== sent.length && status !== 304) {
    notes.push(mendedLength(length, sent));
  }
  return sent;
}

/** The note on a `Content-Length` that is not the body's. */
export function mendedLength(length: string, { length: bytes }: Uint8Array): string {
  return `content-length mended: it was ${shown(length, 40)}, the body has ${bytes} bytes`;
}

/** Reads a request as HTTP/1.1 writes it, without its body. Null: it is none. */
export function readRequest(message: Uint8Array, limits: ImportLimits): SentRequest | null {
  const top = Buffer.from(message.subarray(0, limits.headerBytes));
  const newline = top.indexOf(0x0a);
  const lineEnd = newline === -1 ? top.length : newline;
  const line = requestLine(top.toString('latin1', 0, lineEnd).trimEnd());
  return line && { ...line, headers: parseHeaderLines(top, lineEnd + 1).headers };
}

/** Takes a request's first line apart; null: it is none. */
export function requestLine(line: string): Pick<SentRequest, 'method' | 'target'> | null {
  const [, method, target] = /^([A-Za-z]{1,32}) (\S+) HTTP\/\d/.exec(line) ?? [];
  if (method === undefined || target === undefined) return null;
  return { method: method.toUpperCase(), target };
}

/** What browsers say in `Sec-Fetch-Dest` that they ask for; everything that is not named here is `other`. */
const DESTINATIONS: Record<string, ResourceType> = {
  document: 'document',
  iframe: 'iframe',
  frame: 'iframe',
  script: 'script',
  worker: 'script',
  sharedworker: 'script',
  serviceworker: 'script',
  style: 'stylesheet',
  image: 'image',
  font: 'font',
  empty: 'xhr',
};

/** What a request was for, by its own headers; null: it does not say (only browsers do, and only on https). */
export function typeOfRequest(headers: [name: string, value: string][]): ResourceType | null {
  const destination = headerValue(headers, 'sec-fetch-dest')?.trim().toLowerCase() ?? '';
  if (destination === '') return null;
  return Object.hasOwn(DESTINATIONS, destination)
    ? (DESTINATIONS[destination] as ResourceType)
    : 'other';
}

/** Longest line between chunks that is read: a size, perhaps with extensions, or a trailer. */
const MAX_LINE_BYTES = 8192;

/**
 * Takes `Transfer-Encoding: chunked` off a body (RFC 9112, section 7.1). Null: the body is not wholly in chunks; many
 * programs save it without them below the old header.
 */
export function withoutChunks(chunked: Uint8Array): Uint8Array | null {
  const from = Buffer.from(chunked.buffer, chunked.byteOffset, chunked.byteLength);
  const body = Buffer.allocUnsafe(from.length);
  let bodyBytes = 0;
  let at = 0;
  for (;;) {
    const line = chunkLineAt(from, at);
    const size = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i.exec(line?.text ?? '')?.[1];
    if (line === null || size === undefined) return null;
    at = line.end;
    const bytes = Number.parseInt(size, 16);
    if (bytes === 0) return isEnd(from, at) ? body.subarray(0, bodyBytes) : null;
    if (at + bytes + 2 > from.length) return null;
    from.copy(body, bodyBytes, at, at + bytes);
    bodyBytes += bytes;
    at += bytes;
    if (from[at] !== 0x0d || from[at + 1] !== 0x0a) return null;
    at += 2;
  }
}

/** Whether nothing but trailers and an empty line is left. */
function isEnd(from: Buffer, start: number): boolean {
  let at = start;
  while (at < from.length) {
    const line = chunkLineAt(from, at);
    if (line === null) return false;
    at = line.end;
    if (line.text === '') return at === from.length;
  }
  return true;
}

function chunkLineAt(from: Buffer, start: number): { text: string; end: number } | null {
  const window = from.subarray(start, start + MAX_LINE_BYTES);
  const newline = window.indexOf(0x0a);
  if (newline === -1) return null;
  const text = window.toString('latin1', 0, newline);
  return { text: text.endsWith('\r') ? text.slice(0, -1) : text, end: start + newline + 1 };
}
