import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { TooLargeError } from '../../ground/system/bounded-buffer.ts';
import { unpack } from '../../ground/system/bounded-unpacking.ts';
import { shown } from '../import-error.ts';
import { CONTENT_ENCODINGS, type ContentEncoding } from '../manifest.ts';

/** Checked Content-Encoding of a saved response. */
interface SavedCoding {
  contentEncoding: ContentEncoding | null;
  /** Why the header was dropped; null: it was not. */
  note: string | null;
}

/**
 * Compares the saved Content-Encoding with the body: programs save decoded or damaged bodies with the old header.
 * @param maxDecodedBytes limit of the decoded body
 * @throws BodyTooLargeError when it has more
 */
export function checkCoding(
  saved: string | null,
  body: Uint8Array,
  maxDecodedBytes: number,
): SavedCoding & { decoded: Uint8Array } {
  const { contentEncoding, note } = codingOf(saved, body);
  if (contentEncoding === null) return { contentEncoding, decoded: body, note };
  const decoded = decode(contentEncoding, body, maxDecodedBytes);
  if (decoded) return { contentEncoding, decoded, note };
  return {
    contentEncoding: null,
    decoded: body,
    note: `content-encoding ${contentEncoding} dropped, since the body is not in that coding (saved decoded, or damaged)`,
  };
}

export class BodyTooLargeError extends Error {
  override name = 'BodyTooLargeError';
}

/**
 * Encodes a decoded body in its Content-Encoding. The same body gives the same bytes with the same
 * version of Node; the server's own bytes may be smaller or larger.
 */
export function reencode(
  saved: string | null,
  decoded: Uint8Array,
): SavedCoding & { body: Uint8Array } {
  const { contentEncoding, note } = codingOf(saved, decoded);
  const body = contentEncoding === null ? decoded : ENCODERS[contentEncoding](decoded);
  return { contentEncoding, body, note };
}

/** The known coding; null: no coding, an empty body, or an unknown coding (then `note` says so). */
function codingOf(saved: string | null, body: Uint8Array): SavedCoding {
  const name = (saved ?? '').trim().toLowerCase().replace(/^x-/, '');
  if (name === '' || name === 'identity' || body.length === 0) {
    return { contentEncoding: null, note: null };
  }
  const contentEncoding = CONTENT_ENCODINGS.find((known) => known === name) ?? null;
  if (contentEncoding !== null) return { contentEncoding, note: null };
  return {
    contentEncoding,
    note: `content-encoding ${shown(name, 40)} dropped, since that coding is not known here`,
  };
}

function decode(coding: ContentEncoding, body: Uint8Array, maxBytes: number): Uint8Array | null {
  for (const format of FORMATS[coding]) {
    try {
      return unpack(body, format, maxBytes);
    } catch (error) {
      if (error instanceof TooLargeError) throw new BodyTooLargeError(error.message);
      // Another coding: tries the next format.
    }
  }
  return null;
}

/** HTTP's deflate has the zlib wrapper; some servers omit it, and browsers accept both. */
const FORMATS = {
  gzip: ['gzip'],
  br: ['br'],
  zstd: ['zstd'],
  deflate: ['deflate', 'deflate-raw'],
} as const;

/** Brotli 11 needs a second per MB, so servers use it for static files only; larger bodies use 5. */
const BEST_BROTLI_BYTES = 256 * 1024;

const ENCODERS: Record<ContentEncoding, (decoded: Uint8Array) => Uint8Array> = {
  gzip: (decoded) => gzipSync(decoded, { level: 9 }),
  br: (decoded) =>
    brotliCompressSync(decoded, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: decoded.length <= BEST_BROTLI_BYTES ? 11 : 5,
        [constants.BROTLI_PARAM_SIZE_HINT]: decoded.length,
      },
    }),
  zstd: (decoded) => zstdCompressSync(decoded),
  deflate: (decoded) => deflateSync(decoded, { level: 9 }),
};
