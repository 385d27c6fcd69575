import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../ground/system/errors.ts';

/**
 * The folder that a link leads to, so that a run keeps to it when results/latest is moved on; a folder that is no link, or not
 * there yet, is itself.
 * @throws UsageError for a link that leads nowhere
 */
export function realFolder(option: string, folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const target = targetOf(folder);
    if (target === null) return path.resolve(folder);
    throw new UsageError(
      `--${option} ${folder}: this link leads to ${target}, where there is no folder. Name the folder itself; runs lie in results/.`,
    );
  }
}

/** null: it is no link. */
function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}
