import { randomUUID } from 'node:crypto';
import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';

const OF_OTHERS = 0o077;

/** Makes a folder, or takes one, that only its owner may look into. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // One that was there keeps the mode that it had.
  await chmod(folder, 0o700);
}

/** Writes a file that only its owner may read, whole or not at all; a concurrent reader sees the old one or the new one. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  // Written under a new name: the mode of a file that is there would stay.
  const written = `${file}.${randomUUID()}`;
  try {
    await writeFile(written, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(written, file);
  } catch (error) {
    await rm(written, { force: true });
    throw error;
  }
}

/** Whether a file is there and only its owner may read or write it. */
export async function isPrivate(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found !== null && (found.mode & OF_OTHERS) === 0;
}
