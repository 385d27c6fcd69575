import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { bytesText } from './bounded-buffer.ts';
import { UsageError } from './exit-status.ts';

/** The file exists but is not a plain file, or is too large. */
export class UnreadableFileError extends UsageError {
  override name = 'UnreadableFileError';
  /** Reason without the file's name. */
  readonly reason: string;

  constructor(file: string, reason: string) {
    super(`${file} cannot be read: ${reason}. Name another file, or replace it.`);
    this.reason = reason;
  }
}

/** Maximum size of text files that people write or exchange: plans, lists, keys, settings, manifests of sites. */
const TEXT_BYTES = 256_000_000;

/** Opening a named pipe would wait for a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

interface PlainFileOptions {
  maxBytes?: number;
  /** Whether to reject links, as in folders from other machines. */
  noLink?: boolean;
}

/**
 * Opens a plain file that is not a link; its size is then reliable.
 * @param flags in addition to those that reject links and pipes
 * @throws UnreadableFileError, or the system's error
 */
export async function openPlain(
  file: string,
  flags: number = constants.O_RDONLY,
): Promise<FileHandle> {
  const { O_NOFOLLOW, O_NONBLOCK } = constants;
  const handle = await open(file, flags | O_NOFOLLOW | O_NONBLOCK);
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new UnreadableFileError(file, 'it is no plain file');
}

/**
 * Reads a plain file; devices and pipes may have no end.
 * @throws UnreadableFileError when it is another kind of file or larger; the system's error when it is missing
 * or forbidden
 */
export async function readPlainFile(file: string, options: PlainFileOptions = {}): Promise<Buffer> {
  const handle = await open(file, flagsOf(options));
  try {
    assertPlain(file, await handle.stat(), options);
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** readPlainFile(), synchronous. */
export function readPlainFileSync(file: string, options: PlainFileOptions = {}): Buffer {
  const descriptor = openSync(file, flagsOf(options));
  try {
    assertPlain(file, fstatSync(descriptor), options);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The text (UTF-8) of a plain file. @throws as readPlainFile() */
export async function readPlainText(file: string, options?: PlainFileOptions): Promise<string> {
  return (await readPlainFile(file, options)).toString('utf8');
}

/** readPlainText(), synchronous. */
export function readPlainTextSync(file: string, options?: PlainFileOptions): string {
  return readPlainFileSync(file, options).toString('utf8');
}

function flagsOf({ noLink = false }: PlainFileOptions): number {
  return noLink ? FLAGS | constants.O_NOFOLLOW : FLAGS;
}

function assertPlain(
  file: string,
  found: Stats,
  { maxBytes = TEXT_BYTES }: PlainFileOptions,
): void {
  if (!found.isFile()) throw new UnreadableFileError(file, 'it is no plain file');
  if (found.size <= maxBytes) return;
  throw new UnreadableFileError(
    file,
    `it has ${bytesText(found.size)}, and at most ${bytesText(maxBytes)} are read`,
  );
}
