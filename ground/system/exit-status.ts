/** Exit statuses of the command line: one and the same number means the same of every command. */
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

/** An error that ends the program with a status of its own; its message is for the user, and printed without a stack trace. */
export abstract class ExitError extends Error {
  abstract readonly exitStatus: number;
}

/** What the user gave is wrong: the command line, or the data that it names. */
export class UsageError extends ExitError {
  override name = 'UsageError';
  readonly exitStatus = EXIT.usage;
}
