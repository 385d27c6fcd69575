import { type Experiment, verdictMetrics } from '../experiments/experiment.ts';
import { experimentOf } from '../experiments/index.ts';
import { pageLoad } from '../experiments/page-load/experiment.ts';
import type { RunRecord } from '../records/run.ts';
import { COMPARISON_OPTIONS } from './comparison.ts';
import { INVOCATION_OPTIONS } from './invocation.ts';
import { LOAD_OPTIONS } from './loads.ts';
import { NETWORK_OPTIONS } from './network.ts';
import type { Line, OptionRow, OptionTable, Values } from './row.ts';
import { SERVER_OPTIONS } from './servers.ts';

/** Every option of `npm run benchmark`, in the order of its help. */
export const BENCHMARK_OPTIONS = {
  ...LOAD_OPTIONS,
  ...NETWORK_OPTIONS,
  ...COMPARISON_OPTIONS,
  ...SERVER_OPTIONS,
  ...INVOCATION_OPTIONS,
};

/** Options that only page loads have: what is known of the page, how it is loaded, and what is kept of it. */
const OF_PAGES = [
  'preset',
  'visit',
  'isolation',
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
];

/** Every option of the command that starts an experiment. */
export function optionsOfRun(experiment: Experiment): OptionTable {
  if (experiment === pageLoad) return BENCHMARK_OPTIONS;
  const metrics = verdictMetrics(experiment);
  return {
    ...Object.fromEntries(
      Object.entries<OptionRow>(BENCHMARK_OPTIONS).filter(([name]) => !OF_PAGES.includes(name)),
    ),
    metric: {
      ...COMPARISON_OPTIONS.metric,
      help: `what verdicts are about: ${metrics.map(({ word, phrase }) => `${word} (${phrase})`).join(', ')}`,
      byDefault: metrics[0]?.word,
    },
  };
}

export type BenchmarkValues = Values<typeof BENCHMARK_OPTIONS>;

/** What was chosen before a run, in words. */
export function chosenBefore(run: RunRecord): Line[] {
  return Object.values<OptionRow>(optionsOfRun(experimentOf(run))).flatMap(({ said }) =>
    typeof said === 'function' ? said(run) : [],
  );
}
