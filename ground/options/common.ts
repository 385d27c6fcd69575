import { type Experiment, verdictMetrics } from '../experiment.ts';
import { isLiveRun } from '../records/network.ts';
import type { RunRecord } from '../records/run.ts';
import { defaultBaseline, type Stack } from '../stack.ts';
import { baselineHelp, COMPARISON_OPTIONS } from './comparison.ts';
import { INVOCATION_OPTIONS } from './invocation.ts';
import { LOAD_OPTIONS, presetHelp, repetitionsHelp, timeoutHelp } from './loads.ts';
import { NETWORK_OPTIONS } from './network.ts';
import { oneOf } from './readers.ts';
import type { Line, OptionRow, OptionTable, RawOptions, Values } from './row.ts';
import { SERVER_OPTIONS } from './servers.ts';
import { TABLE_OPTIONS } from './tables.ts';
import { valuesOf } from './values.ts';

/** Options that all commands that measure can have, in the order of their help; an experiment adds its own, and says which mean nothing to it. */
export const COMMON_OPTIONS = {
  ...LOAD_OPTIONS,
  ...NETWORK_OPTIONS,
  ...COMPARISON_OPTIONS,
  ...SERVER_OPTIONS,
  ...INVOCATION_OPTIONS,
  ...TABLE_OPTIONS,
};

export type CommonOption = keyof typeof COMMON_OPTIONS;

/** Values of the common options, and of those of an experiment that has this table of its own. */
export type RunValues<Own extends OptionTable = Record<never, OptionRow>> = Values<
  typeof COMMON_OPTIONS
> &
  Values<Own>;

/** Common options that are about a browser and its pages. */
export const BROWSER_OPTIONS = [
  'isolation',
  'warm-ups',
  'document',
  'sub-resources',
  'deterministic',
  'think',
  'tls',
  'tcp-info',
  'net-log',
  'hars',
  'compress-hars',
  'keep-secrets',
] as const satisfies readonly CommonOption[];

/** Every option of the command that starts an experiment: its own, and the common ones as it words them. */
export function optionsOfRun(experiment: Experiment): OptionTable {
  const { options: own = {}, without = [], stacks, stacksByDefault, dialects } = experiment;
  const absent: readonly string[] = [
    ...without,
    ...(experiment.clients ? [] : ['client']),
    ...(experiment.hasReading ? [] : ['read']),
    ...(dialects ? [] : ['dialect']),
  ];
  const metrics = verdictMetrics(experiment);
  const worded: OptionTable = {
    preset: { ...LOAD_OPTIONS.preset, help: presetHelp(experiment.name) },
    metric: {
      ...COMPARISON_OPTIONS.metric,
      help: `what verdicts are about: ${metrics.map(({ word, phrase }) => `${word} (${phrase})`).join(', ')}`,
      byDefault: metrics[0]?.word,
    },
    repetitions: { ...LOAD_OPTIONS.repetitions, help: repetitionsHelp(experiment.site[0]) },
    timeout: { ...LOAD_OPTIONS.timeout, help: timeoutHelp(experiment.attempt[0]) },
    ...(stacks && stackOptions(stacks)),
    ...(stacksByDefault && { stacks: stacksOption(stacksByDefault) }),
    ...(experiment.clients && {
      client: {
        ...LOAD_OPTIONS.client,
        help: `${LOAD_OPTIONS.client.help}: ${experiment.clients.join(', ')}`,
        read: oneOf(...experiment.clients),
        byDefault: experiment.client,
      },
    }),
    ...(dialects && {
      dialect: {
        ...TABLE_OPTIONS.dialect,
        help: `writes the attempts in the form of another study too. ${Object.values(dialects)
          .map(({ help }) => help)
          .join('; ')}`,
        read: oneOf(...Object.keys(dialects)),
      },
    }),
  };
  const common = Object.entries<OptionRow>({ ...COMMON_OPTIONS, ...worded }).filter(
    ([name]) => !absent.includes(name),
  );
  return { ...Object.fromEntries(common), ...own };
}

/** The option that names stacks, where others are measured by default. */
function stacksOption(defaultStacks: readonly string[]): OptionRow {
  const { help } = LOAD_OPTIONS.stacks;
  return { ...LOAD_OPTIONS.stacks, help: (known) => help({ ...known, defaultStacks }) };
}

/** The options that name stacks, where they are not those of pages. */
function stackOptions(stacks: readonly Stack[]): OptionTable {
  const namesOf = (some: readonly Stack[]) => some.map(({ stack }) => stack).join(', ');
  return {
    stacks: {
      ...LOAD_OPTIONS.stacks,
      help: `some of ${namesOf(stacks)} (default ${namesOf(stacks.filter(({ byDefault }) => byDefault))})`,
    },
    baseline: {
      ...COMPARISON_OPTIONS.baseline,
      help: baselineHelp(defaultBaseline(stacks)),
    },
  };
}

/**
 * The values of all options for an experiment, which reads some words in its own way.
 * @throws UsageError with the wrong value and the valid ones, or with the options that do not go together
 */
export function runValuesOf(
  experiment: Experiment,
  given: RawOptions,
  preset: RawOptions,
): RunValues {
  const table = { ...COMMON_OPTIONS, ...optionsOfRun(experiment) };
  return valuesOf<OptionTable>(table, given, preset) as RunValues;
}

/** What was chosen before a run of an experiment, in words. */
export function choiceLines(run: RunRecord, experiment: Experiment): Line[] {
  const options = optionsOfRun(experiment);
  const absent = isLiveRun(run) ? (options.live?.conflicts ?? []) : [];
  return Object.entries<OptionRow>(options).flatMap(([name, { said }]) =>
    typeof said === 'function' && !absent.includes(name) ? said(run, experiment) : [],
  );
}
