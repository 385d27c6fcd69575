import { allExperiments } from '../../experiments/index.ts';
import type { Experiment } from '../../ground/experiment.ts';
import type { Commands } from '../../ground/options/command.ts';
import { optionsOfRun } from '../../ground/options/common.ts';

/** Exit statuses of commands that measure. */
const RUN_STATUSES =
  'Exit status: 0 all attempts ok, 1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something (the message says what to do), 4 a server failed, 5 the network differs from the requested one, 6 some attempts failed or were invalid, 7 the rule of --fail-if is met, 8 that could not be decided, 130 interrupted.';

/** The commands of experiments; default: of all. */
export function measuringCommands(experiments: readonly Experiment[] = allExperiments()): Commands {
  return Object.fromEntries(
    experiments.flatMap((experiment) => {
      const { command } = experiment;
      if (command === null) return [];
      const { name, summary, operands = [], examples } = command;
      const options = optionsOfRun(experiment);
      return [[name, { summary, operands, options, examples, statuses: RUN_STATUSES }]];
    }),
  );
}
