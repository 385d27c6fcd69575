import { EXPERIMENTS } from '../../experiments/index.ts';
import { optionsOfRun } from '../../ground/options/common.ts';
import { COMMANDS_BY_HAND } from './commands/by-hand.ts';
import { RESULT_COMMANDS } from './commands/results.ts';
import type { CommandRow } from './commands/row.ts';
import { SITE_COMMANDS } from './commands/sites.ts';

/** Of commands that measure. */
export const RUN_STATUSES =
  'Exit status: 0 all attempts ok, 1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something (the message says what to do), 4 a server failed, 5 the network is not what was asked for, 6 some attempts failed or were invalid, 7 the rule of --fail-if is met, 8 that could not be decided, 130 interrupted.';

/** A command for each experiment that has one. */
export const MEASURING: Readonly<Record<string, CommandRow>> = Object.fromEntries(
  EXPERIMENTS.flatMap((experiment) => {
    const { command } = experiment;
    if (command === null) return [];
    const { name, summary, operands = [], examples } = command;
    const options = optionsOfRun(experiment);
    return [[name, { summary, operands, options, examples, statuses: RUN_STATUSES }]];
  }),
);

const OTHERS = { ...SITE_COMMANDS, ...RESULT_COMMANDS, ...COMMANDS_BY_HAND };

/** A command that measures nothing. */
export type OtherCommand = keyof typeof OTHERS;

/** Every command of the program, in the order of its help. */
export const COMMANDS: Readonly<Record<string, CommandRow>> = { ...MEASURING, ...OTHERS };

/** The command of that name, if there is one. */
export function commandNamed(name = ''): CommandRow | undefined {
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}
