import type { Operand } from '../experiment.ts';
import type { OptionTable } from './row.ts';

/** A command; all texts about it derive from its row. */
export interface CommandRow {
  /** One line for lists of commands. */
  summary: string;
  /** Positional arguments. */
  operands: readonly Operand[];
  options: OptionTable;
  /** Arguments with their effect; the help begins with them. */
  examples: readonly (readonly [words: string, what: string])[];
  /** Meaning of its exit statuses. */
  statuses: string;
}

/** Commands by name, in the order of the help. */
export type Commands = Readonly<Record<string, CommandRow>>;

export function commandNamed(commands: Commands, name = ''): CommandRow | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

/** Heading for options of commands that do not measure. */
export const GROUP = 'Options';

/** Exit statuses of commands that do not measure; `data` names possible faults of their input. */
export function usageStatuses(data: string): string {
  return `Exit status: 0 done, 1 a bug, 2 wrong usage or ${data}, 3 the disk is full or cannot be written to.`;
}
