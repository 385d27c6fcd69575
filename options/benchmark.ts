import { type Experiment, verdictMetrics } from '../experiments/experiment.ts';
import { experimentOf } from '../experiments/index.ts';
import { pageLoad } from '../experiments/page-load/experiment.ts';
import type { RunRecord } from '../records/run.ts';
import { type Stack, usualBaseline } from '../servers/stack.ts';
import { baselineHelp, COMPARISON_OPTIONS } from './comparison.ts';
import { CONNECTION_OPTIONS } from './connections.ts';
import { FLOW_OPTIONS, RTT_OF_FLOWS_MS } from './flows.ts';
import { INVOCATION_OPTIONS } from './invocation.ts';
import { LOAD_OPTIONS, repetitionsHelp, timeoutHelp } from './loads.ts';
import { NETWORK_OPTIONS, rttHelp } from './network.ts';
import { oneOf } from './readers.ts';
import type { Line, OptionRow, OptionTable, Values } from './row.ts';
import { SERVER_OPTIONS } from './servers.ts';
import { SOCKET_OPTIONS } from './sockets.ts';
import { TABLE_OPTIONS } from './tables.ts';
import { TRANSFER_OPTIONS } from './transfers.ts';

/** Every option of every command that measures, in the order of its help. */
export const RUN_OPTIONS = {
  ...CONNECTION_OPTIONS,
  ...SOCKET_OPTIONS,
  ...TRANSFER_OPTIONS,
  ...FLOW_OPTIONS,
  ...LOAD_OPTIONS,
  ...NETWORK_OPTIONS,
  ...COMPARISON_OPTIONS,
  ...SERVER_OPTIONS,
  ...INVOCATION_OPTIONS,
  ...TABLE_OPTIONS,
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

/** Options that only experiments of their group have. */
const OWN: Readonly<Record<NonNullable<Experiment['options']>, readonly string[]>> = {
  pages: OF_PAGES,
  connections: [...Object.keys(CONNECTION_OPTIONS), ...Object.keys(TABLE_OPTIONS)],
  sockets: Object.keys(SOCKET_OPTIONS),
  transfers: Object.keys(TRANSFER_OPTIONS),
  flows: Object.keys(FLOW_OPTIONS),
};

/** What has no meaning where the files are those of sizes. */
const NOT_OF_SIZES = ['sites', 'coalesce'];

/** The same where flows name the stacks, and those of a block are there at once, for as long as they are let. */
const NOT_OF_FLOWS = [...NOT_OF_SIZES, 'stacks', 'server', 'order', 'timeout'];

/** Experiments whose attempts have nothing that could go on after an event in their middle. */
const WITHOUT_EVENTS: readonly (Experiment['options'] | undefined)[] = [
  'connections',
  'sockets',
  'flows',
];

/** Flows share a path that has a delay. */
const RTT_OF_FLOWS: OptionRow = { ...NETWORK_OPTIONS.rtt, help: rttHelp(RTT_OF_FLOWS_MS) };

/** Every option of the command that starts an experiment. */
export function optionsOfRun(experiment: Experiment): OptionTable {
  const others = [
    ...Object.entries(OWN).flatMap(([group, names]) => (group === experiment.options ? [] : names)),
    ...(experiment.options === 'transfers' ? NOT_OF_SIZES : []),
    ...(experiment.options === 'flows' ? NOT_OF_FLOWS : []),
    ...(WITHOUT_EVENTS.includes(experiment.options) ? ['event'] : []),
    ...(experiment.clients ? [] : ['client']),
    // Without HTTP there is nothing that a server of the user's own could serve.
    ...(experiment.options === 'sockets' ? ['server'] : []),
  ];
  const options = Object.fromEntries(
    Object.entries<OptionRow>(RUN_OPTIONS).filter(([name]) => !others.includes(name)),
  );
  if (experiment === pageLoad) return options;
  const metrics = verdictMetrics(experiment);
  return {
    ...options,
    metric: {
      ...COMPARISON_OPTIONS.metric,
      help: `what verdicts are about: ${metrics.map(({ word, phrase }) => `${word} (${phrase})`).join(', ')}`,
      byDefault: metrics[0]?.word,
    },
    repetitions: { ...LOAD_OPTIONS.repetitions, help: repetitionsHelp(experiment.site[0]) },
    ...(experiment.options === 'flows'
      ? { rtt: RTT_OF_FLOWS }
      : { timeout: { ...LOAD_OPTIONS.timeout, help: timeoutHelp(experiment.attempt[0]) } }),
    ...(experiment.stacks && ofStacks(experiment.stacks)),
    ...(experiment.clients && {
      client: {
        ...LOAD_OPTIONS.client,
        help: `the program that asks: ${experiment.clients.join(', ')}`,
        read: oneOf(...experiment.clients),
        byDefault: experiment.client,
      },
    }),
  };
}

/** The options that name stacks, where they are not those of pages. */
function ofStacks(stacks: readonly Stack[]) {
  const namesOf = (some: readonly Stack[]) => some.map(({ stack }) => stack).join(', ');
  return {
    stacks: {
      ...LOAD_OPTIONS.stacks,
      help: `some of ${namesOf(stacks)} (default ${namesOf(stacks.filter(({ byDefault }) => byDefault))})`,
    },
    baseline: {
      ...COMPARISON_OPTIONS.baseline,
      help: baselineHelp(usualBaseline(stacks)),
    },
  };
}

export type RunValues = Values<typeof RUN_OPTIONS>;

/** What was chosen before a run, in words. */
export function chosenBefore(run: RunRecord): Line[] {
  const { live = false } = run.choices.connections ?? {};
  const absent: readonly string[] = live ? CONNECTION_OPTIONS.live.conflicts : [];
  return Object.entries<OptionRow>(optionsOfRun(experimentOf(run))).flatMap(([name, { said }]) =>
    typeof said === 'function' && !absent.includes(name) ? said(run) : [],
  );
}
