import { gunzipSync } from 'node:zlib';
import { ImportError } from '../import-error.ts';

/** A gzip file that is no good: what to do about it, and what to say when it unpacks to too much. */
export interface GzipTrouble {
  /** As a sentence. */
  remedy: string;
  tooLarge: () => ImportError;
}

/**
 * What gzip packed, up to so many bytes.
 * @throws ImportError when it is damaged, or unpacks to more
 */
export function unpackedGzip(
  file: string,
  bytes: Buffer,
  mostBytes: number,
  { remedy, tooLarge }: GzipTrouble,
): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new ImportError(`${file} is damaged: gzip says ${(error as Error).message}. ${remedy}`);
  }
}
