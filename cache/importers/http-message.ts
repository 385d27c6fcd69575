import { shown } from '../import-error.ts';
import type { ImportLimits } from '../limits.ts';
import type { ResourceType } from '../manifest.ts';
import {
  headerValue,
  parseHeaderLines,
  parseSavedResponse,
  type SavedResponse,
} from './header-block.ts';

/** A response as received: its body without chunks, in its content coding. */
export interface ReceivedResponse extends Omit<SavedResponse, 'strayLines'> {
  /** Contradictions between headers and body. */
  notes: string[];
}

export interface SentRequest {
  method: string;
  /** Request target: a path, or a URL. */
  target: string;
  headers: [name: string, value: string][];
}

/** Room for interim responses such as `100 Continue`. */
const INTERIM_BYTES = 64 * 1024;

/**
 * Parses an HTTP/1.1 response: status line, headers, empty line, body, which may be chunked.
 * Returns a sentence part with the reason if the response is not valid.
 */
export function readResponse(message: Uint8Array, limits: ImportLimits): ReceivedResponse | string {
  // Only parses lines within the limit of headers, as a body may consist of millions of lines.
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
    notes.push(`lines dropped that are not valid headers: ${parsed.strayLines.length}`);
  }
  const { status, headers } = parsed;
  return { status, headers, body: bodyOf(status, headers, sent, notes), notes };
}

/**
 * The body in its content coding, from the bytes after the headers.
 * @param notes receives contradictions with the headers
 */
export function bodyOf(
  status: number,
  headers: [name: string, value: string][],
  sent: Uint8Array,
  notes: string[],
): Uint8Array {
  const coding = headerValue(headers, 'transfer-encoding')?.trim().toLowerCase() ?? '';
  // A transfer coding overrides the length (RFC 9112, section 6.3), even if the program removed the chunks.
  if (coding.split(',').at(-1)?.trim() === 'chunked') return withoutChunks(sent) ?? sent;
  const length = headerValue(headers, 'content-length');
  if (length !== null && Number(length) !== sent.length && status !== 304) {
    notes.push(mendedLength(length, sent));
  }
  return sent;
}

export function mendedLength(length: string, { length: bytes }: Uint8Array): string {
  return `content-length corrected: it was ${shown(length, 40)}, the body has ${bytes} bytes`;
}

/** Parses an HTTP/1.1 request without its body. null: not valid. */
export function readRequest(message: Uint8Array, limits: ImportLimits): SentRequest | null {
  const top = Buffer.from(message.subarray(0, limits.headerBytes));
  const newline = top.indexOf(0x0a);
  const lineEnd = newline === -1 ? top.length : newline;
  const line = requestLine(top.toString('latin1', 0, lineEnd).trimEnd());
  return line && { ...line, headers: parseHeaderLines(top, lineEnd + 1).headers };
}

/** Parses the first line of a request; null: not valid. */
export function requestLine(line: string): Pick<SentRequest, 'method' | 'target'> | null {
  const [, method, target] = /^([A-Za-z]{1,32}) (\S+) HTTP\/\d/.exec(line) ?? [];
  if (method === undefined || target === undefined) return null;
  return { method: method.toUpperCase(), target };
}

/** Values of `Sec-Fetch-Dest`; any other value means `other`. */
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

/** Type of a request by Sec-Fetch-Dest, which only browsers send, and only over https; null: unknown. */
export function typeOfRequest(headers: [name: string, value: string][]): ResourceType | null {
  const destination = headerValue(headers, 'sec-fetch-dest')?.trim().toLowerCase() ?? '';
  if (destination === '') return null;
  return Object.hasOwn(DESTINATIONS, destination)
    ? (DESTINATIONS[destination] as ResourceType)
    : 'other';
}

/** Limit of a line between chunks: a size, with extensions, or a trailer. */
const MAX_LINE_BYTES = 8192;

/**
 * Decodes `Transfer-Encoding: chunked` (RFC 9112, section 7.1). null: the body is not completely chunked; many
 * programs save it decoded with the old header.
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

/** Whether only trailers and an empty line are left. */
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
