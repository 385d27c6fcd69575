import { verdictMetrics } from '../experiments/experiment.ts';
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
  'hars',
  'compress-hars',
  'keep-secrets',
];

/** What verdicts of `npm run connect` can be about. */
const CONNECT_METRICS = verdictMetrics(experimentOf({ experiment: 'connect' }));

/** Every option of `npm run connect`. */
export const CONNECT_OPTIONS: OptionTable = {
  ...Object.fromEntries(
    Object.entries<OptionRow>(BENCHMARK_OPTIONS).filter(([name]) => !OF_PAGES.includes(name)),
  ),
  metric: {
    ...COMPARISON_OPTIONS.metric,
    help: `what verdicts are about: ${CONNECT_METRICS.map(({ word, phrase }) => `${word} (${phrase})`).join(', ')}`,
    byDefault: CONNECT_METRICS[0]?.word ?? null,
  },
};

export type BenchmarkValues = Values<typeof BENCHMARK_OPTIONS>;

/** What was chosen before a run, in words. */
export function chosenBefore(run: RunRecord): Line[] {
  const table = run.experiment === pageLoad.name ? BENCHMARK_OPTIONS : CONNECT_OPTIONS;
  return Object.values<OptionRow>(table).flatMap(({ said }) =>
    typeof said === 'function' ? said(run) : [],
  );
}
