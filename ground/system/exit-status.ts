/** Exit statuses of all commands. */
export const EXIT = {
  ok: 0,
  bug: 1,
  usage: 2,
  machine: 3,
  server: 4,
  network: 5,
  someLoadsNotOk: 6,
  failIf: 7,
  undecided: 8,
  interrupted: 130,
} as const;

/** An error with its own exit status; its message is for the user, without a stack trace. */
export abstract class ExitError extends Error {
  abstract readonly exitStatus: number;
}

/** The command line, or data that it names, is not valid. */
export class UsageError extends ExitError {
  override name = 'UsageError';
  readonly exitStatus = EXIT.usage;
}
