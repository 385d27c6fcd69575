import { open, opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import { bytesText, TooLargeError } from '../../ground/system/bounded-buffer.ts';
import { unpack } from '../../ground/system/bounded-unpacking.ts';
import { reasonOf } from '../../ground/system/file-error.ts';
import { readPlainFile } from '../../ground/system/plain-file.ts';
import { countText } from '../../kit/text/number.ts';
import { ImportError, shown } from '../import-error.ts';
import type { ImportLimits } from '../limits.ts';

/**
 * Reads an archive that is one file, and decompresses gzip.
 * @param words name of such an archive, and remedy for a damaged one
 * @throws ImportError when it is damaged, or exceeds the limits
 */
export async function readArchiveFile(
  file: string,
  { fileBytes }: ImportLimits,
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
 * Reads a file that the user names.
 * @param remedy for an unreadable file, as a sentence
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

/** Reads a regular file of an archive with at most `maxBytes`; null: another kind, too large, or missing. */
export async function readPart(file: string, maxBytes: number): Promise<Buffer | null> {
  return readPlainFile(file, { maxBytes, noLink: true }).catch(() => null);
}

/**
 * Parses JSON in UTF-8, with or without a byte order mark.
 * @param again remedy for invalid JSON, as the beginning of a sentence
 * @throws ImportError for invalid JSON
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

/** Files of one archive, in a zip or a folder, read on demand. */
export interface ArchiveFolder {
  /** Their paths, with `/`, inside the archive. */
  names: string[];
  /** @throws ImportError when the file is damaged, or has more than `maxBytes` */
  read: (name: string, maxBytes: number) => Promise<Buffer>;
}

/**
 * The regular files below a folder; links are never followed.
 * @throws ImportError when there are too many
 */
export async function openFolder(folder: string, limits: ImportLimits): Promise<ArchiveFolder> {
  const names: string[] = [];
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile()) continue;
    if (names.length === limits.entries) {
      throw new ImportError(`${folder} has more than ${limits.entries} files.`);
    }
    const name = path.relative(folder, path.join(entry.parentPath, entry.name));
    names.push(name.replaceAll(path.sep, '/'));
  }
  return {
    names,
    read: async (name, maxBytes) => {
      const bytes = await readPart(path.join(folder, name), maxBytes);
      if (bytes !== null) return bytes;
      throw new ImportError(
        `${folder}: ${name} cannot be read, or has more than ${countText(maxBytes)} bytes.`,
      );
    },
  };
}

/** Enough bytes to recognise a format. */
const HEAD_BYTES = 4096;
/** More than HEAD_BYTES decompress to: gzip saves at most a factor of 1032. */
const UNPACKED_HEAD_BYTES = 8_000_000;

/** The first 4 kB of a regular file, decompressed if gzip; null: not a regular file, or not readable. */
export async function headOf(file: string): Promise<Buffer | null> {
  const raw = await rawHeadOf(file);
  if (raw === null || !isGzip(raw)) return raw;
  try {
    return unpack(raw, 'gzip', UNPACKED_HEAD_BYTES, { isHead: true }).subarray(0, HEAD_BYTES);
  } catch {
    return raw;
  }
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** The beginning of a regular file as stored; null as in `headOf`. */
export async function rawHeadOf(file: string): Promise<Buffer | null> {
  // Checked first, as opening a named pipe blocks until a process writes to it.
  if (!(await stat(file).catch(() => null))?.isFile()) return null;
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
