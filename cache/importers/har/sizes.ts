import type { RecordedExchange } from '../../recording.ts';
import { headerValue } from '../header-block.ts';
import { below } from '../json.ts';

/** Sizes of the body of a response, in bytes; null: the HAR does not say. */
export type HarSizes = NonNullable<RecordedExchange['sizes']>;

/**
 * The sizes that an entry tells, as browsers, WebPageTest and proxies write them.
 * @param headers of the response, as in a recording
 */
export function harSizes(entry: unknown, headers: [name: string, value: string][]): HarSizes {
  const bodyBytes = bodyBytesOf(entry, headers);
  const decodedBytes = decodedBytesOf(entry, headers, bodyBytes);
  if (bodyBytes !== null) return { wireBytes: bodyBytes, decodedBytes };
  // With the headers in it: better than nothing.
  const transferred = positive(below(entry, 'response', '_transferSize'));
  return { wireBytes: isPlain(headers) ? decodedBytes : transferred, decodedBytes };
}

/** The size of the body on the wire. */
function bodyBytesOf(entry: unknown, headers: [string, string][]): number | null {
  return (
    positive(below(entry, 'response', 'bodySize')) ??
    positive(below(entry, '_objectSize')) ??
    sizeOf(headerValue(headers, 'content-length')) ??
    bytesBesideHeaders(entry, headers)
  );
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

function decodedBytesOf(
  entry: unknown,
  headers: [string, string][],
  bodyBytes: number | null,
): number | null {
  const content = below(entry, 'response', 'content');
  const unpacked = positive(below(entry, '_objectSizeUncompressed'));
  const size = sizeOf(below(content, 'size'));
  if (unpacked !== null || size === null) return unpacked;
  // Chromium once wrote 0 for what it did not know.
  if (size === 0) return bodyBytes ? null : 0;
  if (size !== bodyBytes || isPlain(headers)) return size;
  // Browsers write the decoded size, WebPageTest and mitmproxy once more the one on the wire, and mitmproxy what compression saved.
  const saved = below(content, 'compression');
  return typeof saved === 'number' ? sizeOf(size + saved) : null;
}

/** Whether a response is known to have no content coding. */
function isPlain(headers: [string, string][]): boolean {
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
