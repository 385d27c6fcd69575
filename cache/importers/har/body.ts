import { isUtf8 } from 'node:buffer';
import { shown } from '../../import-error.ts';
import type { RecordedExchange } from '../../recording.ts';
import { BodyTooLargeError, checkCoding } from '../content-coding.ts';
import { headerValue } from '../header-block.ts';
import { mendedLength } from '../http-message.ts';
import { below, quantityOf, statusOf, textOf } from '../json.ts';
import { isBinaryType } from '../media-types.ts';

interface HarBody {
  /** null: not recorded, or not completely. */
  body: Uint8Array | null;
  bodyIs: 'as sent' | 'decoded';
  /** Content type that matches the bytes; absent: as recorded. */
  contentType?: string;
  note?: string;
}

interface BodySource {
  response: unknown;
  /** Response headers in the form of a recording. */
  headers: [name: string, value: string][];
  /** Sizes of the body according to the entry. */
  sizes: HarSizes;
  attached: (name: string) => Promise<Uint8Array | null>;
  maxBytes: number;
}

/** HARs omit a byte order mark, which has 3 bytes in UTF-8. */
const BYTE_ORDER_MARK_BYTES = 3;

export async function harBody(source: BodySource): Promise<HarBody> {
  const { response, headers, sizes, attached } = source;
  const content = below(response, 'content');
  const asSent = textOf(below(content, '_bodyAsSent'));
  if (asSent !== null) {
    const body = fromBase64(asSent);
    return body ? { body, bodyIs: 'as sent' } : missing('its body is not valid base64');
  }
  const file = textOf(below(content, '_file'));
  if (file !== null) {
    const body = await attached(file);
    if (body && isAsSent(body, source)) return { body, bodyIs: 'as sent' };
    return body
      ? wholeBody(body, source)
      : missing(
          `the file with its body is missing, is too large, or its name is not the SHA-1 of its content: ${JSON.stringify(file.slice(0, 80))}`,
        );
  }
  const text = textOf(below(content, 'text'));
  if (text === null || (text === '' && (sizes.decodedBytes ?? sizes.wireBytes ?? 0) > 0)) {
    return saysEmpty(response, headers, sizes) ? decoded(new Uint8Array()) : missing();
  }
  const isBase64 = textOf(below(content, 'encoding'))?.toLowerCase() === 'base64';
  const contentType = headerValue(headers, 'content-type') ?? '';
  const isBinary = isBinaryType(contentType);
  const bytes = bytesOfText(text, {
    isBase64,
    contentType,
    sizes: possibleBytes(response, headers, sizes),
    isAsSent: (body) => isAsSent(body, source),
  });
  if (bytes !== null) return recordedBytes(bytes, text, source);
  if (isBinary && isBase64) return missing('its body is not valid base64');
  if (isBinary && text.includes('\ufffd')) {
    return missing('its body was recorded as text, which loses bytes of such a type');
  }
  return textBody(text, source);
}

function recordedBytes(body: Uint8Array, text: string, source: BodySource): HarBody {
  if (isAsSent(body, source)) return { body, bodyIs: 'as sent' };
  const recorded = wholeBytes(source);
  // Some programs write the length of the text as the size.
  const isSizeOfText = recorded === Buffer.byteLength(text);
  return isCutOff(body.length, recorded) && !isSizeOfText
    ? missing(cutOff(body.length, recorded))
    : wholeBody(body, source);
}

/** Encodes text as UTF-8, as a HAR does not keep its encoding; changes the content type if it could mean another encoding. */
function textBody(text: string, source: BodySource): HarBody {
  const recorded = wholeBytes(source);
  const body = Buffer.from(text, 'utf8');
  const contentType = headerValue(source.headers, 'content-type');
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase();
  const namesUtf8 = charset === undefined || charset === 'utf-8' || charset === 'utf8';
  if (namesUtf8 && isCutOff(body.length, recorded)) return missing(cutOff(body.length, recorded));
  const isAscii = body.length === text.length;
  if (isAscii || (charset !== undefined && namesUtf8)) return wholeBody(body, source);
  const media = (contentType ?? '').split(';')[0]?.trim() || 'text/plain';
  const bytesAsRecorded = recorded === null || recorded === body.length;
  const changes = [
    ...(charset === undefined ? [] : [`${shown(charset, 40)} before`]),
    ...(bytesAsRecorded ? [] : [`${body.length} bytes for ${recorded}`]),
    // Bytes that are not text become replacement characters in a HAR.
    ...(text.includes('\ufffd') && !bytesAsRecorded ? ['some of its bytes are lost'] : []),
  ].join(', ');
  return {
    ...decoded(body),
    contentType: `${media}; charset=utf-8`,
    note: `a HAR has texts without their encoding, so its content type says UTF-8 now${changes === '' ? '' : `: ${changes}`}`,
  };
}

/** Content types of compressed files, for which gzip in gzip is common. */
const PACKED_TYPE = /zip|compress|x-tar|octet-stream|zstd/i;

/** Whether bytes are still encoded by `Content-Encoding`: some proxies record them so. */
function isAsSent(body: Uint8Array, { headers, sizes, maxBytes }: BodySource): boolean {
  const isOfWire = body.length === sizes.wireBytes;
  // Compressed bytes are rarely valid text, and decompressing takes time.
  if (isPlain(headers) || (!isOfWire && isUtf8(body))) return false;
  const codings = headers.filter(([name]) => name.toLowerCase() === 'content-encoding');
  try {
    const coding = codings.map(([, value]) => value).join(', ');
    const unpacked = checkCoding(coding, body, maxBytes);
    if (unpacked.contentEncoding === null) return false;
    if (isOfWire || unpacked.decoded.length === sizes.decodedBytes) return true;
    return !PACKED_TYPE.test(headerValue(headers, 'content-type') ?? '');
  } catch (error) {
    if (error instanceof BodyTooLargeError) return true;
    throw error;
  }
}

/**
 * Decoded size of the whole body; null: unknown. `Content-Length` alone may belong to another body (proxies that map a file to a
 * URL keep the header); it counts if `bodySize` also shows that content is missing (Firefox, aborted).
 */
function wholeBytes({ response, headers, sizes }: BodySource): number | null {
  const bytes = isPlain(headers) ? contentBytes(response) : null;
  if (bytes === null) return sizes.decodedBytes;
  const bodySize = quantityOf(below(response, 'bodySize')) || bytes;
  return bodySize === bytes ? bytes : sizes.decodedBytes;
}

function isCutOff(bytes: number, recordedBytes: number | null): boolean {
  return recordedBytes !== null && bytes < recordedBytes - BYTE_ORDER_MARK_BYTES;
}

function cutOff(bytes: number, recordedBytes: number | null): string {
  return `its body was cut off: ${bytes} of ${recordedBytes} bytes were recorded`;
}

/** Whether a response without a recorded body was empty. */
function saysEmpty(
  response: unknown,
  headers: [name: string, value: string][],
  { decodedBytes, wireBytes }: HarSizes,
): boolean {
  const status = statusOf(below(response, 'status'));
  if (status === 204 || status === 205) return true;
  // Responses from the browser's cache have a size.
  if (status === 304) return !decodedBytes;
  const location = headerValue(headers, 'location');
  if (status >= 300 && status < 400 && location !== null) return true;
  return (decodedBytes ?? wireBytes) === 0;
}

function wholeBody(body: Uint8Array, { response, headers }: BodySource): HarBody {
  const length = headerValue(headers, 'content-length');
  const isFromCache = statusOf(below(response, 'status')) === 304;
  const lost = Number(length) - body.length;
  const isRight = length === null || lost === 0 || lost === BYTE_ORDER_MARK_BYTES;
  if (isRight || isFromCache || !isPlain(headers)) return decoded(body);
  return { ...decoded(body), note: mendedLength(length, body) };
}

function decoded(body: Uint8Array): HarBody {
  return { body, bodyIs: 'decoded' };
}

function missing(note?: string): HarBody {
  return { body: null, bodyIs: 'decoded', note };
}

/** Evidence for the form in which a HAR has a body. */
interface BodyEvidence {
  /** Whether `encoding` says base64. */
  isBase64: boolean;
  /** Content type of the response; empty: unknown. */
  contentType: string;
  /** Possible sizes of the body, in bytes; empty: unknown. */
  sizes: ReadonlySet<number>;
  isAsSent: (bytes: Uint8Array) => boolean;
}

/**
 * Bytes of a text in a HAR: base64, with or without `encoding`, or one character for each byte. null: plain
 * text, even with `encoding` base64 (Firefox bug 1762313, ZAP).
 */
function bytesOfText(text: string, evidence: BodyEvidence): Uint8Array | null {
  const { contentType, sizes, isAsSent } = evidence;
  const isBinary = isBinaryType(contentType);
  const dataUrl = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 300))?.[0] ?? '';
  const isBase64 = evidence.isBase64 || (isBinary && dataUrl !== '');
  const isOfSize = (bytes: Uint8Array) => sizes.has(bytes.length);
  const isTextOfSize = sizes.has(Buffer.byteLength(text));
  const said = text.slice(dataUrl.length);
  // Some programs replace line breaks by blanks; in text of unknown type, blanks separate words.
  const base64 = fromBase64(isBase64 ? (isBinary ? said.replace(/\s+/g, '') : said) : text);
  if (base64 !== null) {
    if (isAsSent(base64)) return base64;
    const fits = isOfSize(base64);
    if (isBase64) return isBinary || fits || !isTextOfSize || isUtf8(base64) ? base64 : null;
    // Some programs write the length of the text as the size; no picture consists of these letters alone.
    const isSure = fits || /^\s*(image|audio|video|font)\//i.test(contentType);
    if (isTextOfSize ? isBinary && isSure && text.length >= LONG : isBinary || fits) return base64;
  }
  const bytes = bytesOfCharacters(text);
  if (bytes === null) return null;
  if (isBinary) return isOfSize(bytes) || HAS_CONTROLS.test(text) ? bytes : null;
  // Some programs decode UTF-8 as Latin-1.
  const isMisread = isOfSize(bytes) && !isTextOfSize && isUtf8(bytes);
  return isMisread || isAsSent(bytes) ? bytes : null;
}

/** A longer sequence of letters and digits without a blank is not a word. */
const LONG = 32;

/** Control characters that text does not contain: all but tab, line breaks and form feed. */
const HAS_CONTROLS = /(?![\t-\r])\p{Cc}/u;

/** Decodes base64, with line breaks but without blanks; null: not base64. */
function fromBase64(text: string): Uint8Array | null {
  if (/\S[ \t]+\S/.test(text)) return null;
  const body = Buffer.from(text, 'base64');
  const plain = text.replace(/[\s=]/g, '');
  // Node skips invalid characters, so that fewer bytes come out.
  return body.length === Math.floor((plain.length * 3) / 4) && plain.length % 4 !== 1 ? body : null;
}

/** The Web's `latin1`: some control characters of Latin-1 are letters. */
const WINDOWS_1252 = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => at + 0x80)),
    (letter, at) => [letter, at + 0x80],
  ),
);

/** Bytes of a text with one character for each byte, in Latin-1 or Windows-1252; null: ASCII, or other characters. */
function bytesOfCharacters(text: string): Uint8Array | null {
  if (Buffer.byteLength(text) === text.length) return null;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const byte = code <= 0xff ? code : WINDOWS_1252.get(text[at] as string);
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  return bytes;
}

/** Sizes of a response's body, in bytes; null: unknown. */
type HarSizes = NonNullable<RecordedExchange['sizes']>;

/**
 * Sizes in an entry. `content.size` is the decoded size in Chromium and Playwright, and the wire size in Firefox,
 * WebPageTest and mitmproxy; in Firefox `bodySize` includes the headers.
 * @param headers of the response, in the form of a recording
 */
export function harSizes(entry: unknown, headers: [name: string, value: string][]): HarSizes {
  const length = sizeOf(headerValue(headers, 'content-length'));
  const bodyBytes =
    length ??
    positive(below(entry, 'response', 'bodySize')) ??
    positive(below(entry, '_objectSize')) ??
    bytesWithoutHeaders(entry, headers);
  const size = contentSize(entry, bodyBytes);
  if (size !== null && isPlain(headers)) {
    // An aborted response is smaller than announced.
    const bytes = Math.max(size, length ?? 0);
    return { wireBytes: bytes, decodedBytes: bytes };
  }
  const decodedBytes =
    positive(below(entry, '_objectSizeUncompressed')) ?? unpackedSize(entry, size, bodyBytes);
  const isOnWire =
    size !== null && bodyBytes !== null && size <= bodyBytes && decodedBytes !== size;
  if (isOnWire) return { wireBytes: size, decodedBytes };
  // An upper bound, with the headers.
  const transferred = positive(below(entry, 'response', '_transferSize'));
  return { wireBytes: bodyBytes ?? transferred, decodedBytes };
}

/** Size of a response's content in bytes; null: unknown. */
function contentBytes(response: unknown): number | null {
  return positive(below(response, 'content', 'size'));
}

/** All possible sizes of a response's body, in bytes: programs write different ones into the same field. */
function possibleBytes(
  response: unknown,
  headers: [name: string, value: string][],
  { wireBytes, decodedBytes }: HarSizes,
): Set<number> {
  const length = sizeOf(headerValue(headers, 'content-length'));
  const known = [contentBytes(response), length, wireBytes, decodedBytes];
  return new Set(known.filter((bytes) => bytes !== null));
}

/** Older versions of Chromium wrote 0 for unknown. */
function contentSize(entry: unknown, bodyBytes: number | null): number | null {
  const size = sizeOf(below(entry, 'response', 'content', 'size'));
  return size === 0 && bodyBytes ? null : size;
}

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

/** WebPageTest counts all received bytes. Compressed headers are smaller than their text, so the result may be 0. */
function bytesWithoutHeaders(entry: unknown, headers: [string, string][]): number | null {
  const received = positive(below(entry, '_bytesIn'));
  if (received === null) return null;
  // `name: value`, and a line break.
  const headerBytes = headers.reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    0,
  );
  return positive(received - headerBytes);
}

function isPlain(headers: [string, string][]): boolean {
  const coding = headerValue(headers, 'content-encoding') ?? '';
  return headers.length > 0 && /^\s*(identity\s*)?$/i.test(coding);
}

function positive(value: unknown): number | null {
  return sizeOf(value) || null;
}

/** WebPageTest writes some numbers as text. */
function sizeOf(value: unknown): number | null {
  const size = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null;
}
