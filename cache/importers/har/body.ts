import { headerValue } from '../header-block.ts';
import { below, textOf } from '../json.ts';
import { shown } from '../shown.ts';
import type { HarSizes } from './sizes.ts';

/** A body out of a HAR, or why there is none. */
export interface HarBody {
  /** Null: it was not recorded, or not wholly. */
  body: Uint8Array | null;
  bodyIs: 'as sent' | 'decoded';
  /** Content type under which the bytes are what they were; absent: as recorded. */
  contentType?: string;
  note?: string;
}

/** A HAR leaves off a byte order mark, which has 3 bytes in UTF-8. */
const BYTE_ORDER_MARK_BYTES = 3;

/**
 * The body of one entry.
 * @param response `response` of the entry
 * @param headers of the response, as in a recording
 * @param sizes of the body, as the entry tells them
 */
export async function harBody(
  response: unknown,
  headers: [name: string, value: string][],
  sizes: HarSizes,
  attached: (name: string) => Promise<Uint8Array | null>,
): Promise<HarBody> {
  const content = below(response, 'content');
  const asSent = textOf(below(content, '_bodyAsSent'));
  if (asSent !== null) {
    const body = fromBase64(asSent);
    return body ? { body, bodyIs: 'as sent' } : missing('its body is no valid base64');
  }
  const file = textOf(below(content, '_file'));
  if (file !== null) {
    const body = await attached(file);
    return body
      ? decoded(body)
      : missing(
          `the file with its body is missing, is too large, or its name is not the SHA-1 of its content: ${JSON.stringify(file.slice(0, 80))}`,
        );
  }
  const text = textOf(below(content, 'text'));
  const { decodedBytes } = sizes;
  if (text === null || (text === '' && (decodedBytes ?? sizes.wireBytes ?? 0) > 0)) {
    return saysEmpty(response, headers, sizes) ? decoded(new Uint8Array()) : missing();
  }
  if (textOf(below(content, 'encoding'))?.toLowerCase() === 'base64') {
    const body = fromBase64(text);
    if (!body) return missing('its body is no valid base64');
    return isCutOff(body.length, decodedBytes)
      ? missing(`its body was cut off: ${body.length} of ${decodedBytes} bytes were recorded`)
      : decoded(body);
  }
  return textBody(text, decodedBytes, headers);
}

/**
 * A text is recorded without its encoding. It becomes UTF-8, and its content type says so where that could be taken for
 * something else.
 */
function textBody(
  text: string,
  decodedBytes: number | null,
  headers: [name: string, value: string][],
): HarBody {
  const body = Buffer.from(text, 'utf8');
  const contentType = headerValue(headers, 'content-type');
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase();
  const isUtf8 = charset === undefined || charset === 'utf-8' || charset === 'utf8';
  if (isUtf8 && isCutOff(body.length, decodedBytes)) {
    return missing(`its body was cut off: ${body.length} of ${decodedBytes} bytes were recorded`);
  }
  const isAscii = body.length === text.length;
  if (isAscii || (charset !== undefined && isUtf8)) return decoded(body);
  const media = (contentType ?? '').split(';')[0]?.trim() || 'text/plain';
  const bytesAsRecorded = decodedBytes === null || decodedBytes === body.length;
  const changes = [
    ...(charset === undefined ? [] : [`${shown(charset, 40)} before`]),
    ...(bytesAsRecorded ? [] : [`${body.length} bytes for ${decodedBytes}`]),
    // Bytes that are no text come out of a HAR as replacement characters.
    ...(text.includes('\ufffd') && !bytesAsRecorded ? ['some of its bytes are lost'] : []),
  ].join(', ');
  return {
    ...decoded(body),
    contentType: `${media}; charset=utf-8`,
    note: `a HAR has texts without their encoding, so its content type says UTF-8 now${changes === '' ? '' : `: ${changes}`}`,
  };
}

function isCutOff(bytes: number, recordedBytes: number | null): boolean {
  return recordedBytes !== null && bytes < recordedBytes - BYTE_ORDER_MARK_BYTES;
}

/** Whether a response without a recorded body had none. */
function saysEmpty(
  response: unknown,
  headers: [name: string, value: string][],
  { decodedBytes, wireBytes }: HarSizes,
): boolean {
  const status = below(response, 'status');
  if (status === 204 || status === 205) return true;
  // What the browser had in its cache has a size.
  if (status === 304) return !decodedBytes;
  const location = headerValue(headers, 'location');
  if (typeof status === 'number' && status >= 300 && status < 400 && location !== null) return true;
  return (decodedBytes ?? wireBytes) === 0;
}

/** Null: not base64. */
function fromBase64(text: string): Uint8Array | null {
  const body = Buffer.from(text, 'base64');
  const plain = text.replace(/[\s=]/g, '');
  // Node skips what is not base64; then fewer bytes come out than went in.
  return body.length === Math.floor((plain.length * 3) / 4) && plain.length % 4 !== 1 ? body : null;
}

function decoded(body: Uint8Array): HarBody {
  return { body, bodyIs: 'decoded' };
}

function missing(note?: string): HarBody {
  return { body: null, bodyIs: 'decoded', note };
}
