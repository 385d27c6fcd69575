import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { UnreadableFileError } from './plain-file.ts';

/** The system's reason, such as `permission denied`, without code, call and path. */
export function reasonOf(error: unknown): string {
  if (error instanceof UnreadableFileError) return error.reason;
  const { message } = error as Error;
  return /^E[A-Z0-9]+: ([^,]+), /.exec(message)?.[1] ?? message;
}

/** Error codes of a full or failing disk. */
const DISK_ERRORS = ['ENOSPC', 'EDQUOT', 'EIO'];

/** Problem of a disk, as sentences; null: another error. */
export function diskProblem(error: unknown): string | null {
  const { code = '', message = '', path: place = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (isReadOnly(error)) {
    return `${place} cannot be written: it is on a read-only file system. Make it writable, or name another folder with --out where the command has it.`;
  }
  if (!DISK_ERRORS.includes(code)) return null;
  return `The disk cannot be written to: ${message}. Make room and try again. What a run has measured is kept; --resume continues it.`;
}

/** Node's recursive mkdir reports ENOENT for a read-only file system. */
function isReadOnly(error: unknown): boolean {
  const { code, syscall, path: place } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== 'ENOENT' || syscall !== 'mkdir' || place === undefined) return code === 'EROFS';
  try {
    let above = path.resolve(place);
    while (!existsSync(above)) above = path.dirname(above);
    accessSync(above, constants.W_OK);
    return false;
  } catch (reason) {
    return (reason as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** Error codes of unusable paths. */
const PATH_ERRORS = ['EACCES', 'EPERM', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP'];

/** Problem of a file's path, as a sentence; null: another error. */
export function pathProblem(error: unknown): string | null {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  if (path === undefined || !PATH_ERRORS.includes(code)) return null;
  const reason = code === 'EEXIST' ? 'a file has this name' : reasonOf(error);
  return `${path} cannot be read or written: ${reason}. Name another path, or repair this one.`;
}
