import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { python } from '../ground/runtimes/python.ts';

const WITH_FILES = path.join(import.meta.dirname, 'with_files_of_etc.py');

/**
 * Command prefix that gives a program its own versions of files in /etc, by name.
 * @param parentFolder exists as long as the program, which cannot change it
 */
export async function withFilesOfEtc(
  parentFolder: string,
  files: Readonly<Record<string, string>>,
): Promise<string[]> {
  const folder = path.join(parentFolder, 'etc');
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await writeFile(file, text);
    // Permissions as in /etc, regardless of the umask.
    await chmod(file, 0o644);
  }
  // Ignores the environment and the user's packages; writes no compiled files.
  return [python.program, '-B', '-E', '-s', WITH_FILES, folder];
}
