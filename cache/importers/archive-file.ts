import { readFile, stat } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { ImportError } from '../import-error.ts';
import type { ImportLimits } from '../limits.ts';
import { isGzip } from './file-head.ts';
import { shown } from './shown.ts';

/**
 * The bytes of an archive that is one file, unpacked where it is gzip.
 * @param words what messages call such an archive, and what to do about a damaged one
 * @throws ImportError when it is damaged, or larger than the limits say
 */
export async function readArchiveFile(
  file: string,
  { fileBytes }: Readonly<ImportLimits>,
  words: { archive: string; again: string },
): Promise<Buffer> {
  const tooLarge = () =>
    new ImportError(
      `${file} has, or unpacks to, more than ${fileBytes.toLocaleString('en-US')} bytes. Give ${words.archive} of one page.`,
    );
  if ((await stat(file)).size > fileBytes) throw tooLarge();
  const bytes = await readFile(file);
  if (!isGzip(bytes)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: fileBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new ImportError(
      `${file} is damaged: gzip says ${(error as Error).message}. ${words.again}.`,
    );
  }
}

/**
 * The value that JSON in UTF-8 says, with a byte order mark or without.
 * @param again what to do about JSON that is none, as a sentence without its end
 * @throws ImportError when it is none
 */
export function parsedJson(file: string, json: Buffer, again: string): unknown {
  try {
    return JSON.parse(json.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new ImportError(
      `${file} is not valid JSON: ${shown((error as Error).message, 160)}. ${again}; one that was cut off cannot be read.`,
    );
  }
}
