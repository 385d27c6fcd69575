import { pipeline } from 'node:stream';
import * as zlib from 'node:zlib';
import { TooLargeError } from './bounded-buffer.ts';

const UNPACKERS = {
  gzip: zlib.gunzipSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync,
  deflate: zlib.inflateSync,
  // Without the wrapper of zlib.
  'deflate-raw': zlib.inflateRawSync,
} as const;

/**
 * Unpacks bytes that are in memory.
 * @param isHead whether the bytes may end before their end, and what they hold is wanted
 * @throws TooLargeError when they hold more than `maxBytes`; zlib's error when they are not in that format
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
 * Unpacks gzip piece by piece, of one member or several.
 * @throws TooLargeError (out of the iteration) when there are more than `maxBytes`; zlib's error when the gzip is damaged or cut
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
  // An error ends the loop; the callback only keeps it from being unhandled.
  for await (const piece of pipeline(counted, gunzip, () => {}) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new TooLargeError('what it unpacks to', maxBytes);
    yield piece;
  }
  // Node takes what follows the last sound member for padding, whatever it is.
  if (gunzip.bytesWritten < packedBytes) {
    const message = `what begins at byte ${gunzip.bytesWritten} is no gzip`;
    throw Object.assign(new Error(message), { code: 'Z_DATA_ERROR' });
  }
}
