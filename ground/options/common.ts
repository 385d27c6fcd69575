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

/** Common options of all measuring commands, in the order of their help. Experiments add their own and exclude those that do not apply. */
export const COMMON_OPTIONS = {
  ...LOAD_OPTIONS,
  ...NETWORK_OPTIONS,
  ...COMPARISON_OPTIONS,
  ...SERVER_OPTIONS,
  ...INVOCATION_OPTIONS,
  ...TABLE_OPTIONS,
};

export type CommonOption = keyof typeof COMMON_OPTIONS;

/** Values of the common options and of an experiment's own. */
export type RunValues<Own extends OptionTable = Record<never, OptionRow>> = Values<
  typeof COMMON_OPTIONS
> &
  Values<Own>;

/** Common options for browsers and pages. */
export const BROWSER_OPTIONS = [
  'browser',
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

/** All options of an experiment's command: its own, and common ones with its changes. */
export function optionsOfRun(experiment: Experiment): OptionTable {
  const { options: own = {}, without = [], stacks, stacksByDefault, dialects } = experiment;
  const absent: readonly string[] = [
    ...without,
    ...(experiment.clients ? [] : ['client']),
    ...(experiment.hasReading ? [] : ['read']),
    ...(dialects ? [] : ['dialect']),
    ...(experiment.loadsPages ? [] : ['mix']),
  ];
  const metrics = verdictMetrics(experiment);
  const worded: OptionTable = {
    preset: { ...LOAD_OPTIONS.preset, help: presetHelp(experiment.name) },
    metric: {
      ...COMPARISON_OPTIONS.metric,
      help: `primary metric: ${metrics.map(({ word, phrase }) => `${word} (${phrase})`).join(', ')}`,
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
        help: `also writes the attempts in the file format of another study. ${Object.values(
          dialects,
        )
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

/** --stacks with another default. */
function stacksOption(defaultStacks: readonly string[]): OptionRow {
  const { help } = LOAD_OPTIONS.stacks;
  return { ...LOAD_OPTIONS.stacks, help: (known) => help({ ...known, defaultStacks }) };
}

/** Options that name stacks, for experiments without pages. */
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
 * Values of all options of an experiment, which may parse some options differently.
 * @throws UsageError with the wrong value and the valid ones, or with conflicting options
 */
export function runValuesOf(
  experiment: Experiment,
  given: RawOptions,
  preset: RawOptions,
): RunValues {
  const table = { ...COMMON_OPTIONS, ...optionsOfRun(experiment) };
  return valuesOf<OptionTable>(table, given, preset) as RunValues;
}

/** Report lines about the choices of a run. */
export function choiceLines(run: RunRecord, experiment: Experiment): Line[] {
  const options = optionsOfRun(experiment);
  const absent = isLiveRun(run) ? (options.live?.conflicts ?? []) : [];
  return Object.entries<OptionRow>(options).flatMap(([name, { lines }]) =>
    typeof lines === 'function' && !absent.includes(name) ? lines(run, experiment) : [],
  );
}
