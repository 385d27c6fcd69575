import { accessSync, constants, lstatSync, readdirSync, type Stats } from 'node:fs';
import path from 'node:path';
import { UsageError } from './exit-status.ts';
import { complain } from './printed.mjs';

/** Far more entries than any run has. */
const MOST_ENTRIES = 1_000_000;

/** Each repeated merge adds two levels. */
const MOST_DEPTH = 64;

/** Folders whose owners the user knows. */
const warnedOf = new Set<string>();

/**
 * Rejects a folder from another machine or user that contains anything but files and folders, before a command
 * uses it: links could lead outside, and named pipes never end. The folder itself may be given as a link.
 * @param warn called once for each folder that another user can change
 * @throws UsageError with the path of an entry that is neither a file nor a folder
 */
export function assertPlainFolder(
  folder: string,
  warn: (sentence: string) => void = complain,
): void {
  const own = [0, process.geteuid?.() ?? 0];
  const foreign = new Set<number>();
  let entries = 0;
  const walk = (each: string, depth: number) => {
    if (depth > MOST_DEPTH) throw tooLarge(folder, `is more than ${MOST_DEPTH} folders deep`);
    for (const name of namesIn(each)) {
      entries += 1;
      if (entries > MOST_ENTRIES) throw tooLarge(folder, `has more than ${MOST_ENTRIES} entries`);
      const entry = path.join(each, name);
      const found = lstatSync(entry, { throwIfNoEntry: false });
      // An active run removes files.
      if (found === undefined) continue;
      if (!own.includes(found.uid)) foreign.add(found.uid);
      if (found.isDirectory()) walk(entry, depth + 1);
      else if (!found.isFile()) {
        throw new UsageError(
          `${entry} is ${kindOf(found)}, and the folder of a run may hold files and folders only. Remove it, or put a copy of the file or folder in its place.`,
        );
      }
    }
  };
  walk(folder, 1);
  if (foreign.size === 0 || warnedOf.has(folder)) return;
  warnedOf.add(folder);
  warn(
    `${folder}: files in it belong to another user (uid ${[...foreign].join(', ')}), who can change them while they are read. Use a copy of your own if you do not trust this user.`,
  );
}

function tooLarge(folder: string, what: string): UsageError {
  return new UsageError(
    `${folder} ${what}, so it is not the folder of a run. Name another folder.`,
  );
}

/** Empty for a folder that this user cannot enter, as no command can read its content. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    try {
      accessSync(folder, constants.X_OK);
    } catch {
      return [];
    }
    throw error;
  }
}

function kindOf(found: Stats): string {
  if (found.isSymbolicLink()) return 'a symbolic link';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
