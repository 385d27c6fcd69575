import { lstat, readFile } from 'node:fs/promises';

/** The bytes of a regular file that is no link and has at most `maxBytes`; null: it is something else, or missing. */
export async function readPlainFile(file: string, maxBytes: number): Promise<Buffer | null> {
  try {
    const found = await lstat(file);
    return found.isFile() && found.size <= maxBytes ? await readFile(file) : null;
  } catch {
    return null;
  }
}
