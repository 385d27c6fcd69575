import { lstat, mkdir, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { UsageError } from '../ground/system/exit-status.ts';
import { reasonOf } from '../ground/system/file-error.ts';

/**
 * Makes the folder that an option names, for files that must not mix with existing ones.
 * @param outside folder of the run, where no folder may be made; absent: any place is allowed
 * @throws UsageError when it is a link or a file, holds files, lies in the run, or cannot be written
 */
export async function makeNewFolder(
  option: string,
  folder: string,
  outside?: string,
): Promise<void> {
  const refused = (problem: string) =>
    new UsageError(`--${option} ${folder} ${problem}: expected a new or an empty folder.`);
  try {
    const found = await lstat(folder).catch(() => null);
    if (found?.isSymbolicLink()) throw refused('is a symbolic link');
    if (found?.isFile()) throw refused('is a file');
    if (outside !== undefined && (await isWithin(folder, outside))) {
      throw refused('lies in the folder of the run');
    }
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0) throw refused('is not empty');
  } catch (error) {
    throw error instanceof UsageError ? error : cannotWrite(option, folder, error);
  }
}

export function cannotWrite(option: string, folder: string, error: unknown): UsageError {
  return new UsageError(
    `--${option} ${folder} cannot be written: ${reasonOf(error)}. Name another folder.`,
  );
}

async function isWithin(folder: string, outer: string): Promise<boolean> {
  const way = path.relative(await realpath(outer), await realPlace(path.resolve(folder)));
  return way !== '..' && !way.startsWith(`..${path.sep}`);
}

/** Resolves links; the folder need not exist yet. */
async function realPlace(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return path.join(await realPlace(path.dirname(folder)), path.basename(folder));
  }
}
