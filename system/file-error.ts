/** Why the system refuses a file, in its words: `permission denied`, without its code, the call and the path. */
export function reasonOf(error: unknown): string {
  const { message } = error as Error;
  return /^E[A-Z0-9]+: ([^,]+), /.exec(message)?.[1] ?? message;
}

/** What the system says of places that no program can mend. */
const OF_PLACES = ['EACCES', 'EPERM', 'EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP'];

/** What is wrong with the place of a file, as a sentence; null: the error is about something else. */
export function placeProblem(error: unknown): string | null {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  if (path === undefined || !OF_PLACES.includes(code)) return null;
  const reason = code === 'EEXIST' ? 'a file is in the way' : reasonOf(error);
  return `${path} cannot be read or written: ${reason}. Name another place, or mend this one.`;
}
