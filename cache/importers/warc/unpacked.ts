import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from '../../import-error.ts';
import type { ImportLimits } from '../../limits.ts';

/** A WARC as it lies on the disk. */
export interface PackedWarc {
  /** In pieces of any size. */
  packed: AsyncIterable<Buffer>;
  /** Whether it is gzip. */
  isPacked: boolean;
}

/**
 * The bytes of a WARC in pieces, unpacked where it is gzip: one member for each record, or one for all.
 * @param where what messages call the place that is being read
 * @throws ImportError (out of the iteration) when the gzip is damaged, or there are more bytes than the limits say
 */
export async function* unpackedWarc(
  where: () => string,
  { packed, isPacked }: PackedWarc,
  limits: Readonly<ImportLimits>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of isPacked ? gunzipped(where, packed) : packed) {
    bytes += piece.length;
    if (bytes > limits.totalBytes) {
      throw new ImportError(
        `${where()}: the archive has, or unpacks to, more than ${limits.totalBytes.toLocaleString('en-US')} bytes. Give a WARC of one page.`,
      );
    }
    yield piece;
  }
}

async function* gunzipped(
  where: () => string,
  packed: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let packedBytes = 0;
  const gunzip = createGunzip();
  const counted = async function* () {
    for await (const piece of packed) {
      packedBytes += piece.length;
      yield piece;
    }
  };
  // An error ends the loop below; there is nobody else to tell.
  const unpacked = pipeline(counted, gunzip, () => {});
  try {
    yield* unpacked as AsyncIterable<Buffer>;
  } catch (error) {
    throw new ImportError(
      `${where()}: damaged, gzip says ${(error as Error).message}. Copy or record it again.`,
    );
  }
  // Node takes what follows the last sound member for padding, whatever it is.
  if (gunzip.bytesWritten < packedBytes) {
    throw new ImportError(
      `${where()}: damaged, what begins at byte ${gunzip.bytesWritten} is no gzip. Copy or record it again.`,
    );
  }
}
