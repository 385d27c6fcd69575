import { open, rename, rm, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Of a file that this makes itself: one that is there already may be a link. */
const NEW = { flag: 'wx' } as const;

/** How a file is written. */
interface WriteOptions {
  /** Where it is written until it is whole, in the same folder. */
  unfinished?: string;
  /** Its permissions, of which the umask takes some. */
  mode?: number;
}

/**
 * Writes a file whole or not at all, even when the power is lost: a concurrent reader sees what was there before. When
 * that fails, nothing is left beside it.
 */
export async function writeFileAtomically(
  file: string,
  content: string | Uint8Array,
  writing: WriteOptions = {},
): Promise<void> {
  await replaceAtomically(file, writing, (unfinished, mode) =>
    writeFile(unfinished, content, { ...NEW, mode, flush: true }),
  );
}

/**
 * The same for a file that others add to until it is whole.
 * @param content what it begins with
 * @param add has the rest appended to the unfinished file
 */
export async function writeFileAtomicallyWith(
  file: string,
  content: Uint8Array,
  writing: WriteOptions,
  add: (unfinished: string) => Promise<void>,
): Promise<void> {
  await replaceAtomically(file, writing, async (unfinished, mode) => {
    await writeFile(unfinished, content, { ...NEW, mode });
    await add(unfinished);
    const written = await open(unfinished);
    await written.sync().finally(() => written.close());
  });
}

async function replaceAtomically(
  file: string,
  { unfinished = `${file}.unfinished-${process.pid}`, mode = 0o666 }: WriteOptions,
  write: (unfinished: string, mode: number) => Promise<void>,
): Promise<void> {
  try {
    await unlink(unfinished).catch(() => {});
    await write(unfinished, mode);
    await rename(unfinished, file);
    await flushFolder(path.dirname(file));
  } catch (error) {
    // What failed first is what a user has to know.
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}

/** Puts on the disk which files and folders a folder has: without it, what is new in it or renamed may be gone when the power is lost. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems cannot, and do without.
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}
