import { bytesText, TooLargeError } from '../../../ground/system/bounded-buffer.ts';
import { gunzipped } from '../../../ground/system/bounded-unpacking.ts';
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
  const tooLarge = () =>
    new ImportError(
      `${where()}: the archive has, or unpacks to, more than ${bytesText(limits.totalBytes)}. Give a WARC of one page.`,
    );
  try {
    if (isPacked) {
      yield* gunzipped(packed, limits.totalBytes);
      return;
    }
    let bytes = 0;
    for await (const piece of packed) {
      bytes += piece.length;
      if (bytes > limits.totalBytes) throw tooLarge();
      yield piece;
    }
  } catch (error) {
    if (error instanceof TooLargeError) throw tooLarge();
    if (error instanceof ImportError || !isPacked) throw error;
    const { message } = error as Error;
    const why = message.endsWith('is no gzip') ? message : `gzip says ${message}`;
    throw new ImportError(`${where()}: damaged, ${why}. Copy or record it again.`);
  }
}
