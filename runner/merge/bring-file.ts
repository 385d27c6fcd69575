import { constants, copyFile, link, lstat, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { inFolder } from '../../ground/records/file-name.ts';
import { modesOf } from '../../ground/records/private-files.ts';
import { UsageError } from '../../ground/system/errors.ts';
import { fileHref } from '../../kit/page/links.ts';

/** Folders of single loads' files in a run's folder. */
const FOLDERS = ['har', 'link', 'packets', 'tcp-info', 'profiles'];

/**
 * Adds a load's file to another run's folder: as a hard link if the file system supports it, else as a copy.
 * @returns false when the file does not exist
 * @throws UsageError when the target is not in such a folder, or the copy is incomplete
 */
export async function bringFile(
  from: { folder: string; file: string },
  to: { folder: string; file: string },
): Promise<boolean> {
  // Paths come from a record, which may contain any text.
  if ([from, to].some(({ file }) => fileHref(file, FOLDERS) === null)) {
    throw new UsageError(`${from.folder}: the file ${from.file} cannot become ${to.file}.`);
  }
  const [source, target] = [inFolder(from.folder, from.file), inFolder(to.folder, to.file)];
  const found = await lstat(source).catch(() => null);
  // Rejects links, and paths that lead through links.
  if (!found?.isFile() || (await realpath(source)) !== (await ownPath(from))) return false;
  const folder = path.dirname(target);
  await mkdir(folder, { recursive: true, mode: modesOf(folder).folder });
  try {
    await link(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new UsageError(`${from.folder}: two loads have the file ${to.file}.`);
    await copyFile(source, target, constants.COPYFILE_EXCL);
  }
  const { size } = await lstat(target);
  if (size !== found.size) {
    throw new UsageError(
      `${target} has ${size} of the ${found.size} bytes of ${source}. Is the disk full?`,
    );
  }
  return true;
}

async function ownPath({ folder, file }: { folder: string; file: string }): Promise<string> {
  return path.join(await realpath(folder), file);
}
