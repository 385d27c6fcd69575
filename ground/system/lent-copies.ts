import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';
import { lend, userChoice } from './unprivileged-user.ts';

/**
 * Copies files of a folder to a place that only this user and unprivileged programs of the run can read.
 * @param names files to copy; missing ones are skipped, as the program itself reports them
 * @returns folder of the copies, or the original folder where programs run as this user
 */
export async function lendCopies(
  folder: string,
  names: readonly string[],
): Promise<TemporaryFolder> {
  if (userChoice().user === null) return { folder, remove: async () => {} };
  const lent = await makeTemporaryFolder('keys');
  // Owned by this user, so that only this user can add files.
  await chmod(lent.folder, 0o711);
  for (const name of names) {
    const copy = path.join(lent.folder, name);
    try {
      await copyFile(path.join(folder, name), copy);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      continue;
    }
    await lend(copy);
  }
  return lent;
}
