import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../ground/system/errors.ts';

/**
 * Resolves a link to a folder, so that a run keeps its folder when results/latest changes. Other paths, existing or not, are returned
 * unchanged.
 * @throws UsageError for a broken link
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

/** null: not a link. */
function targetOf(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}
