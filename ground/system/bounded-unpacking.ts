import { pipeline } from 'node:stream';
import * as zlib from 'node:zlib';
import { TooLargeError } from './bounded-buffer.ts';

const UNPACKERS = {
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
  deflate: zlib.inflateSync,
  // Raw deflate without the zlib wrapper.
  'deflate-raw': zlib.inflateRawSync,
} as const;

/**
 * Unpacks bytes in memory.
 * @param isHead whether the data may be truncated
 * @throws TooLargeError when the result exceeds `maxBytes`; zlib's error for another format
 */
export function unpack(
  bytes: Uint8Array,
  format: keyof typeof UNPACKERS,
  maxBytes: number,
  { isHead = false } = {},
): Buffer {
  try {
    return UNPACKERS[format](bytes, {
      maxOutputLength: maxBytes,
      ...(isHead && { finishFlush: zlib.constants.Z_SYNC_FLUSH }),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw error;
    throw new TooLargeError('what it unpacks to', maxBytes);
  }
}

/**
 * Unpacks gzip with one or several members piece by piece.
 * @throws TooLargeError (from the iteration) when the result exceeds `maxBytes`; zlib's error when the gzip is
 * damaged or truncated
 */
export async function* gunzipped(
  packed: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  const gunzip = zlib.createGunzip();
  let packedBytes = 0;
  const counted = async function* () {
    for await (const piece of packed) {
      packedBytes += piece.length;
      yield piece;
    }
  };
  let bytes = 0;
  // An error ends the loop; the callback prevents an unhandled error.
  for await (const piece of pipeline(counted, gunzip, () => {}) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new TooLargeError('what it unpacks to', maxBytes);
    yield piece;
  }
  // Node ignores any data after the last valid member as padding.
  if (gunzip.bytesWritten < packedBytes) {
    const message = `the data from byte ${gunzip.bytesWritten} on is not gzip`;
    throw Object.assign(new Error(message), { code: 'Z_DATA_ERROR' });
  }
}
