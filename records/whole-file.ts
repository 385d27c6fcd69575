import { rename, rm, writeFile } from 'node:fs/promises';
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
  try {
    await writeFile(unfinished, content, { flush: true });
    await rename(unfinished, file);
    await flushFolder(path.dirname(file));
  } catch (error) {
    // What failed first is what a user has to know.
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}
