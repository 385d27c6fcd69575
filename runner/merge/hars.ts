import { constants, copyFile, link, lstat } from 'node:fs/promises';
import path from 'node:path';
import { harHref } from '../../report/page/links.ts';
import { UsageError } from '../../system/errors.ts';

/**
 * Brings a HAR into another run's folder: as a second name of the same file where the file system can do that, else as a
 * copy.
 * @returns false when there is no such HAR
 * @throws UsageError when it would not lie where HARs are, or the copy is not whole
 */
export async function bringHar(
  from: { folder: string; har: string },
  to: { folder: string; har: string },
): Promise<boolean> {
  // The name may be made of an invocation's, which could hold any text.
  if (harHref(to.har) === null) {
    throw new UsageError(`${from.folder}: the HAR ${from.har} cannot become ${to.har}.`);
  }
  const [source, target] = [path.join(from.folder, from.har), path.join(to.folder, to.har)];
  const found = await lstat(source).catch(() => null);
  if (!found?.isFile()) return false;
  try {
    await link(source, target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new UsageError(`${from.folder}: two loads have the HAR ${to.har}.`);
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
