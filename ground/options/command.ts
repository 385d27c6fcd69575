import type { Operand } from '../experiment.ts';
import type { OptionTable } from './row.ts';

/** One command of the program: everything that is said of it anywhere derives from its row. */
export interface CommandRow {
  /** One line for lists of commands. */
  summary: string;
  /** What stands behind its name, beside options. */
  operands: readonly Operand[];
  options: OptionTable;
  /** Words behind the command, with what they do; the help begins with these. */
  examples: readonly (readonly [words: string, what: string])[];
  /** What its exit statuses mean. */
  statuses: string;
}

/** Commands by their names, in the order of the help. */
export type Commands = Readonly<Record<string, CommandRow>>;

/** The command of that name, if there is one. */
export function commandNamed(commands: Commands, name = ''): CommandRow | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

/** The heading of options of commands that measure nothing. */
export const GROUP = 'Options';

/** Exit statuses of commands that measure nothing; `data` is what can be wrong with what they read. */
export function usageStatuses(data: string): string {
  return `Exit status: 0 done, 1 a bug, 2 wrong usage or ${data}, 3 the disk is full or cannot be written to.`;
}
