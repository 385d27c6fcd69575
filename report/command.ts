import { EXIT } from '../system/exit-status.ts';

/** The words of a command line do not go together, or some are missing; the message says what was expected. */
export class CommandLineError extends Error {
  override name = 'CommandLineError';
}

/** A command that works on what was measured. */
export interface Command<Order> {
  /** What --help prints, and what stands below a problem with the command line. */
  help: string;
  /**
   * What the words ask for; null: the help.
   * @throws CommandLineError, or what parseArgs throws
   */
  read(words: string[]): Order | null;
  /** Does what was asked for; gives the exit status. */
  carryOut(order: Order): Promise<number>;
  /** Errors that are about what the user gave. */
  expected: readonly ErrorKind[];
  /** What did not come of the order, where one of these errors says why. */
  failure(order: Order): string;
}

type ErrorKind = new (message: string) => Error;

/** Runs a command; gives its exit status. */
export async function runCommand<Order>(words: string[], command: Command<Order>): Promise<number> {
  let order: Order | null;
  try {
    order = command.read(words);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${command.help}`);
    return EXIT.usage;
  }
  if (order === null) {
    process.stdout.write(command.help);
    return EXIT.ok;
  }
  try {
    return await command.carryOut(order);
  } catch (error) {
    if (!command.expected.some((kind) => error instanceof kind)) throw error;
    process.stderr.write(`${command.failure(order)}: ${(error as Error).message}\n`);
    return EXIT.usage;
  }
}
