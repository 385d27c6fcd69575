import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { bytesText } from './bounded-buffer.ts';
import { UsageError } from './exit-status.ts';

/** A file that is there and is not read: it is no plain file, or too large. */
export class UnreadableFileError extends UsageError {
  override name = 'UnreadableFileError';
  /** As the system gives a reason: without the file's name. */
  readonly reason: string;

  constructor(file: string, reason: string) {
    super(`${file} cannot be read: ${reason}. Name another file, or replace it.`);
    this.reason = reason;
  }
}

/** Most bytes of a file of text that people write or exchange: plans, lists, keys, settings, manifests of sites. */
const TEXT_BYTES = 256_000_000;

/** Opening a named pipe would wait for a writer. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

interface PlainFileOptions {
  maxBytes?: number;
  /** Whether a link is refused, as in folders that come from elsewhere. */
  noLink?: boolean;
}

/**
 * Opens a plain file that is no link; its size is reliable from then on.
 * @param flags in addition to those that refuse links and pipes
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
 * The bytes of a plain file, which is the only kind that is read whole: a device or pipe may have no end.
 * @throws UnreadableFileError when it is something else or larger; the system's error when it is missing or forbidden
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

/** The same at once. */
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

/** The same at once. */
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
