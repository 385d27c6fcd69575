import { open, rename, rm, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** An existing file may be a link. */
const NEW = { flag: 'wx' } as const;

interface WriteOptions {
  /** Temporary file in the same folder. */
  unfinished?: string;
  /** Permissions before the umask. */
  mode?: number;
}

/** Writes a whole file or nothing, even when the power fails: concurrent readers see the old content. Leaves no temporary file on errors. */
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
 * As writeFileAtomically(), for a file that another program completes.
 * @param content beginning of the file
 * @param add appends the rest to the temporary file
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
    // Keep the first error, which names the cause.
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}

/** Flushes a folder's entries to the disk: new or renamed files could otherwise vanish when the power fails. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems do not support it.
    if (!['EINVAL', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await handle.close();
  }
}
