import { bytesText, TooLargeError } from '../../ground/system/bounded-buffer.ts';
import { unpack } from '../../ground/system/bounded-unpacking.ts';
import { reasonOf } from '../../ground/system/file-error.ts';
import { readPlainFile } from '../../ground/system/plain-file.ts';
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
  const bytes = await readInputFile(file, fileBytes, `Give ${words.archive} of one page.`);
  if (!isGzip(bytes)) return bytes;
  try {
    return unpack(bytes, 'gzip', fileBytes);
  } catch (error) {
    if (error instanceof TooLargeError) {
      throw new ImportError(
        `${file} unpacks to more than ${bytesText(fileBytes)}. Give ${words.archive} of one page.`,
      );
    }
    throw new ImportError(
      `${file} is damaged: gzip says ${(error as Error).message}. ${words.again}.`,
    );
  }
}

/**
 * The bytes of a file that the user names.
 * @param remedy what to do where it cannot be read, as a sentence
 * @throws ImportError when it cannot be read, or has more than `maxBytes`
 */
export async function readInputFile(
  file: string,
  maxBytes: number,
  remedy: string,
): Promise<Buffer> {
  try {
    return await readPlainFile(file, { maxBytes });
  } catch (error) {
    throw new ImportError(`${file} cannot be read: ${reasonOf(error)}. ${remedy}`);
  }
}

/** The bytes of a file of an archive that is no link and has at most `maxBytes`; null: it is something else, or missing. */
export async function readPart(file: string, maxBytes: number): Promise<Buffer | null> {
  return readPlainFile(file, { maxBytes, noLink: true }).catch(() => null);
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
