import { experimentOf } from '../../experiments/index.ts';
import { pageLoad } from '../../experiments/page-load/experiment.ts';
import { type Experiment, verdictMetrics } from '../experiment.ts';
import { isOfLiveWeb } from '../records/network.ts';
import type { RunRecord } from '../records/run.ts';
import type { PageVia, Via } from '../records/via.ts';
import { type Stack, usualBaseline } from '../stack.ts';
import { baselineHelp, COMPARISON_OPTIONS } from './comparison.ts';
import { CONNECTION_OPTIONS } from '../../experiments/connect/options.ts';
import { FLOW_OPTIONS, RTT_OF_FLOWS_MS } from '../../experiments/share/options.ts';
import { INVOCATION_OPTIONS } from './invocation.ts';
import { LIVE_PAGE_OPTIONS } from '../../experiments/page-load/options.ts';
import {
  LOAD_OPTIONS,
  OPTIONS_OF_BENCH_PAGES,
  presetHelp,
  repetitionsHelp,
  timeoutHelp,
} from './loads.ts';
import { NETWORK_OPTIONS, rttHelp } from './network.ts';
import { oneOf } from './readers.ts';
import type { Given, Line, OptionRow, OptionTable, Values } from './row.ts';
import { SERVER_OPTIONS } from './servers.ts';
import { SOCKET_OPTIONS } from '../../experiments/sockets/options.ts';
import { TABLE_OPTIONS } from './tables.ts';
import { TRANSFER_OPTIONS } from '../../experiments/transfer/options.ts';
import { valuesOf } from './values.ts';
import { NETWORK_OF_VIDEOS, RTT_OF_VIDEOS_MS, VIDEO_OPTIONS } from '../../experiments/video/options.ts';

const { duration: _, ...OTHERS_OF_VIDEOS } = VIDEO_OPTIONS;

/** Every option of every command that measures, in the order of its help. */
export const RUN_OPTIONS = {
  ...CONNECTION_OPTIONS,
  ...SOCKET_OPTIONS,
  ...TRANSFER_OPTIONS,
  ...FLOW_OPTIONS,
  ...OTHERS_OF_VIDEOS,
  ...LOAD_OPTIONS,
  pause: LIVE_PAGE_OPTIONS.pause,
  ...NETWORK_OPTIONS,
  ...COMPARISON_OPTIONS,
  ...SERVER_OPTIONS,
  ...INVOCATION_OPTIONS,
  ...TABLE_OPTIONS,
};

/** Options that only page loads have: what is known of the page, how it is loaded, and what is kept of it. */
const OF_PAGES = [
  ...OPTIONS_OF_BENCH_PAGES,
  ...namesOf(LIVE_PAGE_OPTIONS),
  'net-log',
  'hars',
  'compress-hars',
  'keep-secrets',
] as const;

/** Options that have another meaning in a group of experiments. */
const OTHERWISE: Readonly<Record<string, OptionTable>> = {
  pages: LIVE_PAGE_OPTIONS,
  videos: VIDEO_OPTIONS,
};

/** What of a page is kept, and what the kernel said meanwhile, a video can have too. */
const OF_PAGES_AND_VIDEOS = ['tcp-info', 'net-log', 'hars', 'compress-hars'] as const;

/** Options that only experiments of their group have. */
const OWN = {
  pages: OF_PAGES,
  connections: [...namesOf(CONNECTION_OPTIONS), ...namesOf(TABLE_OPTIONS)],
  sockets: namesOf(SOCKET_OPTIONS),
  transfers: namesOf(TRANSFER_OPTIONS),
  flows: namesOf(FLOW_OPTIONS),
  videos: [...namesOf(VIDEO_OPTIONS), ...OF_PAGES_AND_VIDEOS, 'dialect'],
} as const satisfies Record<
  NonNullable<Experiment['options']>,
  readonly (keyof typeof RUN_OPTIONS)[]
>;

/** Experiments by the options that they have alone. */
export type OptionGroup = keyof typeof OWN;

type OwnOption<Group extends OptionGroup> = (typeof OWN)[Group][number];

function namesOf<Table extends OptionTable>(table: Table): (keyof Table)[] {
  return Object.keys(table);
}

/** What has no meaning where what is asked for is no page of the cache, and all on one host. */
const NOT_OF_SIZES = ['sites', 'coalesce'];

/** The same where an attempt takes as long as it is let. */
const NOT_OF_VIDEOS = [...NOT_OF_SIZES, 'timeout'];

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

/** Videos take their time, and adapt to links that are limited. */
const ROWS_OF_VIDEOS: OptionTable = {
  ...VIDEO_OPTIONS,
  rtt: { ...NETWORK_OPTIONS.rtt, help: rttHelp(RTT_OF_VIDEOS_MS) },
  network: {
    ...NETWORK_OPTIONS.network,
    help: ({ networks }) =>
      `named conditions: ${networks.join(', ')} (default ${NETWORK_OF_VIDEOS}, where nothing is said of the network)`,
  },
};

/** Every option of the command that starts an experiment. */
export function optionsOfRun(experiment: Experiment): OptionTable {
  const own: readonly string[] = experiment.options ? OWN[experiment.options] : [];
  const others = [
    ...Object.entries(OWN).flatMap<string>(([group, names]) =>
      group === experiment.options ? [] : [...names],
    ),
    ...(experiment.options === 'transfers' ? NOT_OF_SIZES : []),
    ...(experiment.options === 'flows' ? NOT_OF_FLOWS : []),
    ...(experiment.options === 'videos' ? NOT_OF_VIDEOS : []),
    ...(WITHOUT_EVENTS.includes(experiment.options) ? ['event'] : []),
    ...(experiment.clients ? [] : ['client']),
    // Without HTTP there is nothing that a server of the user's own could serve.
    ...(experiment.options === 'sockets' ? ['server'] : []),
  ];
  const options = Object.fromEntries(
    Object.entries<OptionRow>({
      ...RUN_OPTIONS,
      preset: { ...LOAD_OPTIONS.preset, help: presetHelp(experiment.options) },
    }).filter(([name]) => !others.includes(name) || own.includes(name)),
  );
  if (experiment === pageLoad) {
    const { live: _, via: __, pause: ___, ...ofPages } = options;
    return { ...ofPages, ...LIVE_PAGE_OPTIONS };
  }
  const metrics = verdictMetrics(experiment);
  return {
    ...options,
    metric: {
      ...COMPARISON_OPTIONS.metric,
      help: `what verdicts are about: ${metrics.map(({ word, phrase }) => `${word} (${phrase})`).join(', ')}`,
      byDefault: metrics[0]?.word,
    },
    repetitions: { ...LOAD_OPTIONS.repetitions, help: repetitionsHelp(experiment.site[0]) },
    ...(options.timeout && {
      timeout: { ...LOAD_OPTIONS.timeout, help: timeoutHelp(experiment.attempt[0]) },
    }),
    ...(experiment.options === 'flows' && { rtt: RTT_OF_FLOWS }),
    ...(experiment.options === 'videos' && ROWS_OF_VIDEOS),
    ...(experiment.stacks && ofStacks(experiment.stacks)),
    ...(experiment.stacksByDefault && { stacks: stacksOr(experiment.stacksByDefault) }),
    ...(experiment.clients && {
      client: {
        ...LOAD_OPTIONS.client,
        help: `${LOAD_OPTIONS.client.help}: ${experiment.clients.join(', ')}`,
        read: oneOf(...experiment.clients),
        byDefault: experiment.client,
      },
    }),
  };
}

/** The option that names stacks, where others are measured by default. */
function stacksOr(defaultStacks: readonly string[]): OptionRow {
  const { help } = LOAD_OPTIONS.stacks;
  return { ...LOAD_OPTIONS.stacks, help: (known) => help({ ...known, defaultStacks }) };
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

export type RunValues = Omit<Values<typeof RUN_OPTIONS>, 'via'> & {
  /** Of connections or of pages, as the experiment reads it. */
  via: readonly Via[] | readonly PageVia[] | null;
};

/** Of the options that an experiment may have. */
export type ValuesOf<Group extends OptionGroup> = Omit<
  RunValues,
  Exclude<OwnOption<OptionGroup>, OwnOption<Group>>
>;

/**
 * The values of all options for an experiment, which reads some words in its own way.
 * @throws UsageError with the wrong value and the valid ones, or with the options that do not go together
 */
export function runValuesOf(
  { options }: Pick<Experiment, 'options'>,
  given: Given,
  beside: Partial<RunValues>,
): RunValues {
  const rows = { ...RUN_OPTIONS, ...(options && OTHERWISE[options]) };
  return valuesOf<OptionTable>(rows, given, beside) as RunValues;
}

/** What was chosen before a run, in words. */
export function chosenBefore(run: RunRecord): Line[] {
  const absent: readonly string[] = isOfLiveWeb(run) ? CONNECTION_OPTIONS.live.conflicts : [];
  return Object.entries<OptionRow>(optionsOfRun(experimentOf(run))).flatMap(([name, { said }]) =>
    typeof said === 'function' && !absent.includes(name) ? said(run) : [],
  );
}
