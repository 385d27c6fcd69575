import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { CONTENT_ENCODINGS, type ContentEncoding } from '../manifest.ts';

/** What the Content-Encoding header of a saved response is worth. */
export interface CheckedCoding {
  contentEncoding: ContentEncoding | null;
  /** The body without the coding. */
  decoded: Uint8Array;
  /** Why the header was dropped; null: it was not. */
  note: string | null;
}

/** Compares the Content-Encoding as saved with the body: programs save bodies decoded, or damaged, below the old header. */
export function checkCoding(saved: string | null, body: Uint8Array): CheckedCoding {
  const plain = { contentEncoding: null, decoded: body, note: null };
  const name = saved?.trim().toLowerCase().replace(/^x-/, '') ?? '';
  if (name === '' || name === 'identity' || body.length === 0) return plain;
  const contentEncoding = CONTENT_ENCODINGS.find((known) => known === name);
  if (!contentEncoding) {
    return { ...plain, note: `content-encoding ${name} dropped: not a coding that is known here` };
  }
  const decoded = decode(contentEncoding, body);
  if (decoded) return { contentEncoding, decoded, note: null };
  return {
    ...plain,
    note: `content-encoding ${name} dropped: the body is not in that coding (saved decoded, or damaged)`,
  };
}

function decode(coding: ContentEncoding, body: Uint8Array): Uint8Array | null {
  for (const decoder of DECODERS[coding]) {
    try {
      return decoder(body);
    } catch {
      // Not in this coding: the next decoder, or none.
    }
  }
  return null;
}

/** HTTP's deflate has the zlib wrapper; some servers send it bare, and browsers take both. */
const DECODERS: Record<ContentEncoding, ((body: Uint8Array) => Uint8Array)[]> = {
  gzip: [gunzipSync],
  br: [brotliDecompressSync],
  zstd: [zstdDecompressSync],
  deflate: [inflateSync, inflateRawSync],
};
