import { UsageError } from '../system/exit-status.ts';
import { reasonOf } from '../system/file-error.ts';
import { readPlainTextSync } from '../system/plain-file.ts';

/** The text of a file that the user named. */
export function readTextOf(option: string, file: string): string {
  try {
    return readPlainTextSync(file);
  } catch (error) {
    throw new UsageError(`--${option} ${file}: it cannot be read: ${reasonOf(error)}.`);
  }
}
