import { randomInt } from 'node:crypto';
import { listSites, publishedSites, QUICK_SITES } from '../cache/catalogue.ts';
import { readSiteList } from '../cache/site-list.ts';
import { pageLoad } from '../experiments/page-load/experiment.ts';
import { type Experiment, verdictMetrics } from '../ground/experiment.ts';
import { type RunValues, runValuesOf } from '../ground/options/benchmark.ts';
import { OPTION_DEFAULTS } from '../ground/options/defaults.ts';
import type { Host } from '../ground/options/hosts.ts';
import { didYouMean } from '../ground/options/nearest-name.ts';
import type { LivePage } from '../ground/options/pages.ts';
import { type Presets, presetNamed } from '../ground/options/preset.ts';
import type { Given } from '../ground/options/row.ts';
import { variantsOf } from '../ground/records/factors.ts';
import { type AskedNetwork, LIVE_NETWORK } from '../ground/records/network.ts';
import { offersBoth } from '../ground/records/protocol.ts';
import { BOUNDS } from '../ground/records/ranges.ts';
import type { AnalysisPlan, RunChoices, StoppingRule } from '../ground/records/run.ts';
import type { Trace } from '../ground/records/trace.ts';
import type { PageVia, Via } from '../ground/records/via.ts';
import { againstTwins, controlOf, type Stack, usualBaseline } from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import type { BackendChoice } from '../network/network.ts';
import type { FindingsFiles } from '../report/findings/files.ts';
import { STACKS } from '../servers/index.ts';
import { withOwnTwins } from '../servers/own-stack.ts';
import { commonSettings, firstAsked, withSettings, withSettingsUnder } from './arm-settings.ts';
import { armsAsked, liveArms, livePageArms, speaksOneOf } from '../experiments/arms.ts';
import { readCommandLine } from './command-line/command-line.ts';
import { connectionChoicesOf, liveOf } from '../experiments/connect/planning.ts';
import { DEFAULTS } from './defaults.ts';
import {
  assertOneTcp,
  bottlenecksOf,
  expectedArmMs,
  flowChoicesOf,
  stacksOfFlows,
} from '../experiments/share/planning.ts';
import { type InvocationOptions, invocationOptionsOf } from './invocation-options.ts';
import { keyExchangeAsked } from './key-exchange.ts';
import { networksOf, receiveBufferBytes, tracesOf } from './network-options.ts';
import { NAMES_WITH_SERVER, stacksOfProgram } from './own-program.ts';
import { assertAskable, eachNamedOnce, ownStackOfWord } from './own-stacks.ts';
import {
  comparisonsOf,
  defaultBudgetMs,
  expectedLiveLoadMs,
  type PlanSize,
} from './plan-notice.ts';
import { blocksPerLook } from './schedule.ts';
import { transferChoicesOf } from '../experiments/transfer/planning.ts';
import { expectedSessionMs, networksOfVideos, videoChoicesOf } from '../experiments/video/planning.ts';

/** What a run is asked to be: the options with every default filled in, and their names looked up. */
export interface Options {
  /** What is measured. */
  experiment: Experiment;
  /** Where the options not given by the user came from; null: from the defaults alone. */
  preset: string | null;
  /** Empty where hosts are asked. */
  sites: readonly string[];
  /** Sizes of files instead, as they are written: `10kB`; null: there are sites, or hosts. */
  sizes: readonly string[] | null;
  /** Names of videos instead; null: likewise. */
  videos: readonly string[] | null;
  /** Hosts that are there already; null: local servers of the sites. */
  hosts: readonly Host[] | null;
  /** Pages that are there already; null: there are none. */
  pages: readonly LivePage[] | null;
  /** The program that asks. */
  client: string;
  /** The program of the user's own server, as it was given; null: there is none. */
  server: string | null;
  /** With the control, if there is one, right behind the stack that it repeats. */
  stacks: readonly Stack[];
  /** The most of them where a rule stops them. */
  repetitions: number;
  /** null: all repetitions are made. */
  stopping: StoppingRule | null;
  seed: number;
  timeoutS: number;
  networks: readonly AskedNetwork[];
  /** The recorded links of these. */
  traces: readonly Trace[];
  /** Name of a factor of the experiment to its values. */
  factors: Readonly<Record<string, readonly string[]>>;
  /** All but the cores, which only the machine can tell. */
  choices: Omit<RunChoices, 'pinned'>;
  pin: boolean;
  analysis: AnalysisPlan;
  backend: BackendChoice;
  invocation: InvocationOptions;
  /** What is to make the run end with an exit status of its own; null: nothing. */
  failIf: string | null;
  /** Files for what was found; null: none. */
  findings: FindingsFiles;
  /** null: a new folder in results/. */
  out: string | null;
  /** In whose form the attempts are written a second time; null: nobody's. */
  dialect: string | null;
}

/**
 * The options that some words behind an experiment's command give.
 * @throws UsageError with the wrong value and the valid ones.
 */
export function readOptions(
  words: readonly string[],
  experiment: Experiment = pageLoad,
  presets: Presets = {},
): Options {
  const command = experiment.command?.name ?? 'benchmark';
  return optionsOf(readCommandLine([command, ...words]) ?? { given: {} }, experiment, presets);
}

/**
 * The options of a run, for what the user gave.
 * @throws UsageError with the wrong value and the valid ones.
 */
export function optionsOf(
  { given, operands = [] }: { given: Given; operands?: readonly string[] },
  experiment: Experiment,
  presets: Presets,
): Options {
  const { preset = null } = given;
  const beside = preset === null ? {} : (presetNamed(preset, presets, experiment).options ?? {});
  const values = runValuesOf(experiment, given, beside);
  const live = liveOf(values, operands, experiment);
  const { hosts = null, pages = null } = live ?? {};
  const askedFirst = firstAsked(values);
  const arms = withSettings(armsOf(values, experiment), askedFirst);
  const baseline = baselineOf(values.baseline, arms);
  const sizes = experiment.options === 'transfers' ? values.size : null;
  const flows = experiment.options === 'flows' ? flowChoicesOf(values) : null;
  const videos = experiment.options === 'videos' ? [...new Set(values.videos)] : null;
  const isOfSites = live === null && sizes === null && flows === null && videos === null;
  const sites = isOfSites ? sitesOf(values.sites) : [];
  const client = clientOf(values.client, experiment);
  const conditionsOf = flows ? bottlenecksOf : videos ? networksOfVideos : networksOf;
  const networks = live === null ? conditionsOf(values) : [LIVE_NETWORK];
  const asked = withSettingsUnder(arms, networks, askedFirst);
  if (flows) assertOneTcp(flows, asked, networks);
  const factors = factorsOf(values, experiment);
  const measured = withControl(asked, values.control === '' ? baseline : values.control);
  const stacks = values.baseline === null ? againstTwins(measured, baseline) : measured;
  return {
    experiment,
    preset,
    sites,
    sizes,
    videos,
    hosts,
    pages,
    client,
    server: values.server,
    stacks,
    ...repetitionsOf(
      values,
      {
        subjects: (hosts ?? pages ?? sizes ?? videos ?? flows?.mixes ?? sites).length,
        arms: stacks.length,
        conditions: networks.length * variantsOf({ factors }).length,
        compared: asked.length - 1,
        ...(flows && { expectedLoadMs: expectedArmMs(flows) }),
        ...(videos && { expectedLoadMs: expectedSessionMs(videoChoicesOf(values)) }),
        ...(pages && { expectedLoadMs: expectedLiveLoadMs(pauseOf(values)) }),
      },
      pages === null ? OPTION_DEFAULTS.mostRepetitions : OPTION_DEFAULTS.mostRepetitionsLive,
    ),
    seed: values.seed ?? randomInt(BOUNDS.seed[1]),
    timeoutS: values.timeout,
    networks,
    traces: tracesOf(values),
    factors,
    choices: choicesOf(values, asked, experiment, client),
    pin: values.pin,
    analysis: {
      baseline,
      marginPercent: values.margin,
      metric: metricOf(values.metric, experiment, networks),
    },
    backend: values['network-backend'],
    invocation: invocationOptionsOf(values, given),
    failIf: values['fail-if'],
    findings: { junit: values.junit, markdown: values.markdown },
    out: values.out,
    dialect: values.dialect,
  };
}

/** @throws UsageError for a program that the experiment cannot ask with */
function clientOf(name: string | null, { client, clients = [client] }: Experiment): string {
  if (name === null || clients.includes(name)) return name ?? client;
  throw new UsageError(
    `--client ${name}: expected one of ${clients.join(', ')}.${didYouMean(name, clients)}`,
  );
}

/** The values of the experiment's factors, each an option of the same name. */
function factorsOf(values: RunValues, { factors }: Experiment): Options['factors'] {
  const asked: Readonly<Record<string, unknown>> = values;
  return Object.fromEntries(
    Object.keys(factors).map((name) => [name, asked[name] as readonly string[]]),
  );
}

/** The name of a metric by its word; where none is asked for the experiment's first, or its own for events. */
function metricOf(
  word: string | null,
  experiment: Experiment,
  networks: readonly AskedNetwork[],
): string {
  const metrics = verdictMetrics(experiment);
  const { metricOfEvents } = experiment;
  const hasEvents = networks.some(({ event }) => event !== undefined);
  if (word === null && hasEvents && metricOfEvents !== undefined) return metricOfEvents;
  const found = word === null ? metrics[0] : metrics.find((metric) => metric.word === word);
  if (found) return found.name;
  throw new UsageError(
    `--metric ${word}: expected ${metrics.map((metric) => metric.word).join(' or ')}.`,
  );
}

function choicesOf(
  values: RunValues,
  arms: readonly Stack[],
  experiment: Experiment,
  client: string,
): Options['choices'] {
  return {
    origins: values.coalesce ? 'shared' : 'own',
    certificateChain: values['cert-chain'],
    keyExchange: keyExchangeAsked(values, arms, client),
    deterministicPages: values.deterministic,
    thinkTime: values.think,
    isolation: values.isolation,
    ...commonSettings(firstAsked(values)),
    subResources: values['sub-resources'],
    document: documentOf(values.document, arms),
    tlsMost: values.tls,
    mtuBytes: values.mtu[0] ?? OPTION_DEFAULTS.mtuBytes,
    offloads: values.offloads,
    receiveBufferBytes: receiveBufferOf(values),
    order: values.order,
    keepSecrets: values['keep-secrets'],
    packets: values.packets,
    qlogs: qlogsOf(values),
    tcpInfoMs: values['tcp-info'],
    netLogs: values['net-log'],
    hars: values.hars,
    compressHars: values['compress-hars'],
    ...(experiment.options === 'pages' && !values.live && { warmUps: values['warm-ups'] }),
    ...(experiment.options === 'connections' && {
      connections: connectionChoicesOf(values, arms, client),
    }),
    ...(experiment.options === 'pages' && values.live && livePageChoices(values)),
    ...(experiment.options === 'flows' && { flows: flowChoicesOf(values) }),
    ...(experiment.options === 'videos' && { videos: videoChoicesOf(values) }),
    ...(experiment.options === 'transfers' && {
      transfers: transferChoicesOf(values, arms, client),
    }),
    ...(experiment.options === 'sockets' && {
      sockets: { messageBytes: values.message, messages: 1 + (values.reuse ?? 0) },
    }),
  };
}

/** null: the kernel's own, which live hosts are always asked with. */
function receiveBufferOf({
  live,
  'receive-buffer': [first = 'matched'],
}: RunValues): number | null {
  return live ? null : receiveBufferBytes(first);
}

/** A page out there is as its server has it, and each load of it a first visit by a browser that was just started, which needs no warm-up. */
function livePageChoices(
  values: RunValues,
): Pick<RunChoices, 'livePages' | 'isolation' | 'deterministicPages'> {
  return {
    livePages: { pauseMs: pauseOf(values) },
    isolation: 'process',
    deterministicPages: 'none',
  };
}

function pauseOf({ pause }: Pick<RunValues, 'pause'>): number {
  return pause ?? OPTION_DEFAULTS.pauseMs;
}

/**
 * A number of repetitions, or the rule that stops them.
 * @throws UsageError for options that the rule does not go with
 */
function repetitionsOf(
  values: RunValues,
  size: PlanSize,
  most: number,
): Pick<Options, 'repetitions' | 'stopping'> {
  const { repetitions } = values;
  if (repetitions !== 'auto') return { repetitions, stopping: null };
  // Nothing can be told of stacks that are compared with nothing but themselves.
  if (size.compared === 0) return { repetitions: OPTION_DEFAULTS.repetitionsAlone, stopping: null };
  const apart = (['freeze', 'shard', 'queue'] as const).find((name) => values[name] !== null);
  // A frozen plan has its own, and so has a run that is resumed.
  const isFrozen = values.plan !== null || values.resume !== null;
  if (apart !== undefined && !isFrozen) {
    throw new UsageError(
      `--repetitions auto (the default) and --${apart} do not go together: a part of a run cannot show when every answer is decided. Give a number, for example --repetitions 20.`,
    );
  }
  if (values.order === 'sequential') {
    throw new UsageError(
      '--repetitions auto (the default) and --order sequential do not go together: nothing can be decided before the last stack has its turn. Give a number, for example --repetitions 20.',
    );
  }
  return {
    repetitions: most,
    stopping: {
      rule: 'pocock-spending',
      alpha: OPTION_DEFAULTS.alpha,
      budgetMs: values.budget ?? defaultBudgetMs(size),
      blocksPerLook: blocksPerLook(size.arms, comparisonsOf(size)),
    },
  };
}

/** The stacks, each asked in every way that it is to be asked in. */
function armsOf(all: RunValues, experiment: Experiment): Stack[] {
  const { live, via, ...values } = all;
  if (live) {
    return experiment.options === 'pages'
      ? livePageArms((via as readonly PageVia[] | null) ?? LIVE_PAGE_VIAS)
      : liveArms((via as readonly Via[] | null) ?? LIVE_VIAS);
  }
  const named = experiment.options === 'flows' ? stacksOfFlows(all) : values.stacks;
  const own = values.server === null ? [] : stacksOfProgram(values.server);
  const stacks = stacksOf(named, [...(experiment.stacks ?? STACKS), ...own], own, experiment);
  assertAskable(stacks, all, experiment);
  assertChosen(stacks, experiment);
  const vias = via as readonly Via[] | null;
  if (experiment.options !== 'connections' || vias === null) return stacks;
  return armsAsked(
    values.stacks === null ? stacks.filter((stack) => speaksOneOf(stack, vias)) : stacks,
    vias,
  );
}

/**
 * Between two versions of HTTP at one address browsers choose, and connections are made by what they are asked by (--via).
 * @throws UsageError where nobody would choose
 */
function assertChosen(stacks: readonly Stack[], { command, options }: Experiment): void {
  if (options === 'pages' || options === 'connections') return;
  const both = stacks.find(({ protocol }) => offersBoth(protocol));
  if (!both) return;
  throw new UsageError(
    `${both.stack} offers HTTP/2 and HTTP/3 at one address, and nobody chooses between them in npm run ${command?.name}. Use stacks of one protocol, such as ${DEFAULTS.baseline}, or npm run benchmark.`,
  );
}

/** What hosts are asked by unless --via says otherwise: what a browser uses today. */
const LIVE_VIAS: readonly Via[] = ['quic', 'tls1.3'];
const LIVE_PAGE_VIAS: readonly PageVia[] = ['h3', 'h2'];

function sitesOf(names: readonly string[]): string[] {
  const sets = new Map<string, () => string[]>([
    ['quick', () => [...QUICK_SITES]],
    ['published', publishedSites],
    ['all', () => listSites()],
  ]);
  const sites = names.flatMap(
    (name) => sets.get(name)?.() ?? (name.startsWith('@') ? sitesOfFile(name.slice(1)) : [name]),
  );
  return [...new Set(sites)];
}

function sitesOfFile(file: string): string[] {
  try {
    return readSiteList(file);
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`--sites @${file}: ${error.message}`);
    throw error;
  }
}

/** @param own those of the program that is to be measured, which alone are measured where no others are named */
function stacksOf(
  names: readonly string[] | null,
  offered: readonly Stack[],
  own: readonly Stack[],
  { stacksByDefault }: Pick<Experiment, 'stacksByDefault'>,
): Stack[] {
  if (names === null) {
    const isDefault = ({ stack, byDefault }: Stack) =>
      own.length > 0 ? byDefault : (stacksByDefault?.includes(stack) ?? byDefault);
    return withOwnTwins((own.length > 0 ? own : offered).filter(isDefault));
  }
  if (own.length > 0 && !own.some(({ stack }) => names.includes(stack))) {
    throw new UsageError(
      `--server and --stacks ${names.join(',')}: none of them is your server. Add one of ${NAMES_WITH_SERVER.join(', ')}.`,
    );
  }
  const stacks = [...new Set(names)].map((name) => {
    if (name.includes('=')) return ownStackOfWord(name, STACKS);
    const found = offered.find(({ stack }) => stack === name);
    if (found) return found;
    if (NAMES_WITH_SERVER.includes(name)) {
      throw new UsageError(
        `--stacks ${name}: a server of your own. Say which program it is: --server PROGRAM.`,
      );
    }
    const known = offered.map(({ stack }) => stack);
    throw new UsageError(
      `Unknown stack ${name}.${didYouMean(name, known)} Stacks: ${known.join(', ')}; or NAME=https://HOST:PORT of a server of your own.`,
    );
  });
  return withOwnTwins(eachNamedOnce(stacks));
}

/** Puts the control behind the stack that it repeats. */
function withControl(stacks: readonly Stack[], name: string | null): Stack[] {
  if (name === null) return [...stacks];
  if (!stacks.some(({ stack }) => stack === name)) {
    const names = stacks.map(({ stack }) => stack).join(', ');
    throw new UsageError(`--control ${name}: expected a stack of this run: ${names}.`);
  }
  return stacks.flatMap((stack) => (stack.stack === name ? [stack, controlOf(stack)] : [stack]));
}

/** @throws UsageError where there are no captures to make them of */
function qlogsOf({ qlog, packets }: RunValues): boolean {
  if (!qlog || packets !== 'none') return qlog;
  throw new UsageError(
    '--qlog: qlogs are made of captured packets, and --packets none captures none. Use --packets median, warm-ups or all.',
  );
}

function documentOf(
  document: RunChoices['document'],
  arms: readonly Stack[],
): RunChoices['document'] {
  if (document === 'recorded' || arms.some(({ sendsAsSaved }) => sendsAsSaved)) return document;
  const able = STACKS.flatMap(({ stack, sendsAsSaved }) => (sendsAsSaved ? [stack] : []));
  throw new UsageError(
    `--document as-saved: no stack of this run sends documents so. Add one of ${able.join(', ')} to --stacks.`,
  );
}

/** What others are compared with where nothing is said. */
const BASELINES: readonly string[] = [DEFAULTS.baseline, 'tls1.3', 'h2'];

function baselineOf(name: string | null, stacks: readonly Stack[]): string {
  const names = stacks.map(({ stack }) => stack);
  if (name === null) {
    const usual = BASELINES.find((each) => names.includes(each)) ?? usualBaseline(stacks);
    return usual ?? names[0] ?? DEFAULTS.baseline;
  }
  if (names.includes(name)) return name;
  throw new UsageError(`--baseline ${name}: expected a stack of this run: ${names.join(', ')}.`);
}
