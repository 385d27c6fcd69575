import { isUtf8 } from 'node:buffer';
import { shown } from '../../import-error.ts';
import type { RecordedExchange } from '../../recording.ts';
import { BodyTooLargeError, checkCoding } from '../content-coding.ts';
import { headerValue } from '../header-block.ts';
import { mendedLength } from '../http-message.ts';
import { below, quantityOf, statusOf, textOf } from '../json.ts';
import { isBinaryType } from '../media-types.ts';

interface HarBody {
  /** Null: it was not recorded, or not wholly. */
  body: Uint8Array | null;
  bodyIs: 'as sent' | 'decoded';
  /** Content type under which the bytes are what they were; absent: as recorded. */
  contentType?: string;
  note?: string;
}

interface BodySource {
  response: unknown;
  /** As in a recording. */
  headers: [name: string, value: string][];
  /** Of the body, as the entry tells them. */
  sizes: HarSizes;
  attached: (name: string) => Promise<Uint8Array | null>;
  maxBytes: number;
}

/** A HAR leaves off a byte order mark, which has 3 bytes in UTF-8. */
const BYTE_ORDER_MARK_BYTES = 3;

export async function harBody(source: BodySource): Promise<HarBody> {
  const { response, headers, sizes, attached } = source;
  const content = below(response, 'content');
  const asSent = textOf(below(content, '_bodyAsSent'));
  if (asSent !== null) {
    const body = fromBase64(asSent);
    return body ? { body, bodyIs: 'as sent' } : missing('its body is no valid base64');
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
  if (isBinary && isBase64) return missing('its body is no valid base64');
  if (isBinary && text.includes('\ufffd')) {
    return missing('its body was recorded as a text, which loses bytes of such a type');
  }
  return textBody(text, source);
}

function recordedBytes(body: Uint8Array, text: string, source: BodySource): HarBody {
  if (isAsSent(body, source)) return { body, bodyIs: 'as sent' };
  const recorded = wholeBytes(source);
  // Some programs write the length of the text for the size.
  const isSizeOfText = recorded === Buffer.byteLength(text);
  return isCutOff(body.length, recorded) && !isSizeOfText
    ? missing(cutOff(body.length, recorded))
    : wholeBody(body, source);
}

/** A text becomes UTF-8, since a HAR has it without its encoding; its content type says so where that could be taken for another. */
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
    // Bytes that are no text come out of a HAR as replacement characters.
    ...(text.includes('\ufffd') && !bytesAsRecorded ? ['some of its bytes are lost'] : []),
  ].join(', ');
  return {
    ...decoded(body),
    contentType: `${media}; charset=utf-8`,
    note: `a HAR has texts without their encoding, so its content type says UTF-8 now${changes === '' ? '' : `: ${changes}`}`,
  };
}

/** Content types of files that are packed themselves: gzip in gzip is usual there. */
const PACKED_TYPE = /zip|compress|x-tar|octet-stream|zstd/i;

/** Whether bytes are still in the coding that `Content-Encoding` names: some proxies record them so. */
function isAsSent(body: Uint8Array, { headers, sizes, maxBytes }: BodySource): boolean {
  const isOfWire = body.length === sizes.wireBytes;
  // Nearly no packed bytes are text by chance, and unpacking takes time.
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
 * Bytes of the whole body, decoded; null: not known. `Content-Length` alone may be that of another body (proxies that map a file to a
 * URL keep the header); it counts where `bodySize` shows too that the content is not all that was sent (Firefox, broken off).
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

/** Whether a response without a recorded body had none. */
function saysEmpty(
  response: unknown,
  headers: [name: string, value: string][],
  { decodedBytes, wireBytes }: HarSizes,
): boolean {
  const status = statusOf(below(response, 'status'));
  if (status === 204 || status === 205) return true;
  // What the browser had in its cache has a size.
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

/** What tells in which of several forms a HAR has a body. */
interface BodyEvidence {
  /** Whether `encoding` says base64. */
  isBase64: boolean;
  /** Of the response; empty: not known. */
  contentType: string;
  /** Sizes that the body may have, in bytes; empty: not known. */
  sizes: ReadonlySet<number>;
  isAsSent: (bytes: Uint8Array) => boolean;
}

/**
 * The bytes that a text of a HAR stands for: base64, whether `encoding` says so or not, or one character a byte. Null: it is a
 * text, also where `encoding` says base64 (Firefox bug 1762313, ZAP).
 */
function bytesOfText(text: string, evidence: BodyEvidence): Uint8Array | null {
  const { contentType, sizes, isAsSent } = evidence;
  const isBinary = isBinaryType(contentType);
  const dataUrl = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 300))?.[0] ?? '';
  const isBase64 = evidence.isBase64 || (isBinary && dataUrl !== '');
  const isOfSize = (bytes: Uint8Array) => sizes.has(bytes.length);
  const isTextOfSize = sizes.has(Buffer.byteLength(text));
  const said = text.slice(dataUrl.length);
  // Some programs make blanks of line breaks; in a text of which nothing says what it is, blanks part words.
  const base64 = fromBase64(isBase64 ? (isBinary ? said.replace(/\s+/g, '') : said) : text);
  if (base64 !== null) {
    if (isAsSent(base64)) return base64;
    const fits = isOfSize(base64);
    if (isBase64) return isBinary || fits || !isTextOfSize || isUtf8(base64) ? base64 : null;
    // Some programs write the length of the text for the size, and no picture consists of these letters alone.
    const isSure = fits || /^\s*(image|audio|video|font)\//i.test(contentType);
    if (isTextOfSize ? isBinary && isSure && text.length >= LONG : isBinary || fits) return base64;
  }
  const bytes = bytesOfCharacters(text);
  if (bytes === null) return null;
  if (isBinary) return isOfSize(bytes) || HAS_CONTROLS.test(text) ? bytes : null;
  // UTF-8 that was read as Latin-1.
  const isMisread = isOfSize(bytes) && !isTextOfSize && isUtf8(bytes);
  return isMisread || isAsSent(bytes) ? bytes : null;
}

/** So many letters and digits without a blank are no word. */
const LONG = 32;

/** Control characters that are in no text: all but tab, line breaks and form feed. */
const HAS_CONTROLS = /(?![\t-\r])\p{Cc}/u;

/** Null: not base64. Lines may be broken, but have no blanks in them. */
function fromBase64(text: string): Uint8Array | null {
  if (/\S[ \t]+\S/.test(text)) return null;
  const body = Buffer.from(text, 'base64');
  const plain = text.replace(/[\s=]/g, '');
  // Node skips what is not base64; then fewer bytes come out than went in.
  return body.length === Math.floor((plain.length * 3) / 4) && plain.length % 4 !== 1 ? body : null;
}

/** What `latin1` means to the Web: some control characters of Latin-1 are letters there. */
const WINDOWS_1252 = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, at) => at + 0x80)),
    (letter, at) => [letter, at + 0x80],
  ),
);

/** The bytes of a text of which each character is one, in Latin-1 or Windows-1252; null: it is ASCII, or has other characters. */
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

/** Sizes of the body of a response, in bytes; null: the HAR does not say. */
type HarSizes = NonNullable<RecordedExchange['sizes']>;

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
    bytesWithoutHeaders(entry, headers);
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
function contentBytes(response: unknown): number | null {
  return positive(below(response, 'content', 'size'));
}

/** All sizes that the body of a response may have, in bytes: programs write different ones into the same field. */
function possibleBytes(
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

/** WebPageTest writes some of its numbers as text. */
function sizeOf(value: unknown): number | null {
  const size = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 ? size : null;
}
