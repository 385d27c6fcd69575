import type { RecordedExchange } from '../../recording.ts';
import { headerValue } from '../header-block.ts';
import { below } from '../json.ts';

/** Sizes of the body of a response, in bytes; null: the HAR does not say. */
export type HarSizes = NonNullable<RecordedExchange['sizes']>;

/**
 * The sizes that an entry tells. `content.size` is the decoded size to Chromium and Playwright, and the one on the wire to Firefox,
 * WebPageTest and mitmproxy; `bodySize` has the headers in it where Firefox wrote it.
 * @param headers of the response, as in a recording
 */
export function harSizes(entry: unknown, headers: [name: string, value: string][]): HarSizes {
  const length = sizeOf(headerValue(headers, 'content-length'));
  const bodyBytes =
    length ??
    positive(below(entry, 'response', 'bodySize')) ??
    positive(below(entry, '_objectSize')) ??
    bytesBesideHeaders(entry, headers);
  const size = contentSize(entry, bodyBytes);
  if (size !== null && isPlain(headers)) {
    // What was broken off is less than was announced.
    const bytes = Math.max(size, length ?? 0);
    return { wireBytes: bytes, decodedBytes: bytes };
  }
  const decodedBytes =
    positive(below(entry, '_objectSizeUncompressed')) ?? unpackedSize(entry, size, bodyBytes);
  const isOnWire =
    size !== null && bodyBytes !== null && size <= bodyBytes && decodedBytes !== size;
  if (isOnWire) return { wireBytes: size, decodedBytes };
  // With the headers in it: better than nothing.
  const transferred = positive(below(entry, 'response', '_transferSize'));
  return { wireBytes: bodyBytes ?? transferred, decodedBytes };
}

/** What a response says of its content's size, in bytes; null: nothing. */
export function contentBytes(response: unknown): number | null {
  return positive(below(response, 'content', 'size'));
}

/** All sizes that the body of a response may have, in bytes: programs write different ones into the same field. */
export function possibleBytes(
  response: unknown,
  headers: [name: string, value: string][],
  { wireBytes, decodedBytes }: HarSizes,
): Set<number> {
  const length = sizeOf(headerValue(headers, 'content-length'));
  const known = [contentBytes(response), length, wireBytes, decodedBytes];
  return new Set(known.filter((bytes) => bytes !== null));
}

/** Chromium once wrote 0 for what it did not know. */
function contentSize(entry: unknown, bodyBytes: number | null): number | null {
  const size = sizeOf(below(entry, 'response', 'content', 'size'));
  return size === 0 && bodyBytes ? null : size;
}

/** The decoded size of a body in a coding. */
function unpackedSize(
  entry: unknown,
  size: number | null,
  bodyBytes: number | null,
): number | null {
  if (size === null) return null;
  const saved = below(entry, 'response', 'content', 'compression');
  if (typeof saved === 'number') return sizeOf(size === bodyBytes ? size + saved : size);
  return bodyBytes !== null && size <= bodyBytes ? null : size;
}

/** WebPageTest counts all bytes that came in. Compressed headers have fewer than they seem to, so that nothing may be left. */
function bytesBesideHeaders(entry: unknown, headers: [string, string][]): number | null {
  const received = positive(below(entry, '_bytesIn'));
  if (received === null) return null;
  // `name: value`, and a line break.
  const headerBytes = headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    0,
  );
  return positive(received - headerBytes);
}

/** Whether a response is known to have no content coding. */
export function isPlain(headers: [string, string][]): boolean {
  const coding = headerValue(headers, 'content-encoding') ?? '';
  return headers.length > 0 && /^\s*(identity\s*)?$/i.test(coding);
}

function positive(value: unknown): number | null {
  return sizeOf(value) || null;
}

/** WebPageTest writes some of its numbers as text. */
function sizeOf(value: unknown): number | null {
  const size = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null;
}
