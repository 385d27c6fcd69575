import { open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { flushFolder } from './flush-folder.ts';

/**
 * Writes a file whole or not at all, even when the power is lost: a concurrent reader sees what was there before. When
 * that fails, nothing is left beside it.
 * @param unfinished where it is written until it is whole, in the same folder
 */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  unfinished = `${file}.unfinished-${process.pid}`,
): Promise<void> {
  await makeWhole(file, unfinished, () => writeFile(unfinished, content, { flush: true }));
}

/**
 * The same for a file that others add to until it is whole.
 * @param content what it begins with
 * @param add has the rest appended to the unfinished file
 */
export async function writeWholeWith(
  file: string,
  content: Uint8Array,
  unfinished: string,
  add: (unfinished: string) => Promise<void>,
): Promise<void> {
  await makeWhole(file, unfinished, async () => {
    await writeFile(unfinished, content);
    await add(unfinished);
    const written = await open(unfinished);
    await written.sync().finally(() => written.close());
  });
}

async function makeWhole(
  file: string,
  unfinished: string,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
    await rename(unfinished, file);
    await flushFolder(path.dirname(file));
  } catch (error) {
    // What failed first is what a user has to know.
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}
