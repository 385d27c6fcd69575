import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';
import { lend, userChoice } from './unprivileged-user.ts';

/**
 * Copies files of one folder to where programs without rights can read them, and no other user.
 * @param names of those that are to be copied; left out are those that are missing, of which the program itself complains
 * @returns the folder of the copies; the files' own where programs run as the user of this process
 */
export async function lendCopies(
  folder: string,
  names: readonly string[],
): Promise<TemporaryFolder> {
  if (userChoice().user === null) return { folder, remove: async () => {} };
  const lent = await makeTemporaryFolder('keys');
  // It stays this user's, so that nothing else can be put into it.
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
