import { isUtf8 } from 'node:buffer';
import { BodyTooLargeError, checkCoding } from '../content-coding.ts';
import { headerValue } from '../header-block.ts';
import { mendedLength } from '../http-message.ts';
import { below, quantityOf, statusOf, textOf } from '../json.ts';
import { isBinaryType } from '../media-types.ts';
import { shown } from '../shown.ts';
import { bytesOfText, fromBase64 } from './bytes-of-text.ts';
import { contentBytes, type HarSizes, isPlain, possibleBytes } from './sizes.ts';

/** A body out of a HAR, or why there is none. */
interface HarBody {
  /** Null: it was not recorded, or not wholly. */
  body: Uint8Array | null;
  bodyIs: 'as sent' | 'decoded';
  /** Content type under which the bytes are what they were; absent: as recorded. */
  contentType?: string;
  note?: string;
}

/** A response of a HAR with what is known of its body. */
interface BodySource {
  response: unknown;
  /** As in a recording. */
  headers: [name: string, value: string][];
  /** Of the body, as the entry tells them. */
  sizes: HarSizes;
  /** Reads a body that lies in a file of its own. */
  attached: (name: string) => Promise<Uint8Array | null>;
  /** Most bytes that a body may have when it is unpacked. */
  maxBytes: number;
}

/** A HAR leaves off a byte order mark, which has 3 bytes in UTF-8. */
const BYTE_ORDER_MARK_BYTES = 3;

/** The body of one entry. */
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

/** A body with all its bytes. */
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
