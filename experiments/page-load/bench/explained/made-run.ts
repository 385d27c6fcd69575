import { benchmarkCommand } from '../../../../runner/command.ts';
import { readCommandLine } from '../../../../runner/command-line/command-line.ts';
import { pageLoad } from '../../experiment.ts';

// Runs `benchmark` with a second arm of each stack, which has the settings in the first argument.
const [settings = '{}', , ...words] = process.argv.slice(2);
const line = readCommandLine(['benchmark', ...words]);
if (!line) throw new Error(`expected options of a run: ${words.join(' ')}`);
process.exitCode = await benchmarkCommand(
  line,
  {
    ...pageLoad,
    planning: {
      ...pageLoad.planning,
      arms: (stacks) =>
        stacks.flatMap((stack) => [
          stack,
          {
            ...stack,
            stack: `${stack.stack}-changed`,
            label: `${stack.label}, changed`,
            serverStack: { stack: stack.stack },
            settings: JSON.parse(settings),
          },
        ]),
    },
  },
  async () => [],
);
