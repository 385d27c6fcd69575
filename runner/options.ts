import { randomInt } from 'node:crypto';
import { listSites, publishedSites, QUICK_SITES, readSiteList } from '../cache/catalogue.ts';
import { armOf } from '../experiments/arms.ts';
import { allExperiments, experimentOf } from '../experiments/index.ts';
import type { PlanRequest, Slice } from '../experiments/planning.ts';
import type { LiveSubject } from '../experiments/subjects.ts';
import { type Experiment, metricNamed, verdictMetrics } from '../ground/experiment.ts';
import { optionsOfRun, type RunValues, runValuesOf } from '../ground/options/common.ts';
import { OPTION_DEFAULTS } from '../ground/options/defaults.ts';
import { didYouMean } from '../ground/options/nearest-name.ts';
import { withoutPassword } from '../ground/options/pages.ts';
import { type Presets, presetNamed } from '../ground/options/preset.ts';
import type { NamedBrowser, NamedServer } from '../ground/options/readers.ts';
import type { RawOptions } from '../ground/options/row.ts';
import { variantsOf } from '../ground/records/factors.ts';
import { mixProblem } from '../ground/records/mix.ts';
import { LIVE_NETWORK, type NetworkCondition } from '../ground/records/network.ts';
import { offersBoth } from '../ground/records/protocol.ts';
import { BOUNDS } from '../ground/records/ranges.ts';
import type {
  AnalysisPlan,
  ExcludedStack,
  RunChoices,
  StoppingRule,
  UnpinnedChoices,
} from '../ground/records/run.ts';
import type { Trace } from '../ground/records/trace.ts';
import {
  compareWithCounterparts,
  compareWithTwins,
  controlOf,
  defaultBaseline,
  type Stack,
  splitBrowser,
} from '../ground/stack.ts';
import { UsageError } from '../ground/system/errors.ts';
import type { BackendChoice } from '../network/network.ts';
import type { FindingsFiles } from '../report/findings/files.ts';
import { STACKS } from '../servers/index.ts';
import { withOwnTwins } from '../servers/own-stack.ts';
import { assertVersion, stackOfName } from '../servers/stack-version.ts';
import {
  commonSettings,
  firstSettingValues,
  withSettings,
  withSettingsUnder,
} from './arm-settings.ts';
import { armsByBrowser, problemOfBrowsers } from './browsers.ts';
import { readCommandLine } from './command-line/command-line.ts';
import { DEFAULTS } from './defaults.ts';
import { type InvocationOptions, invocationOptionsOf } from './invocation-options.ts';
import { chooseKeyExchange } from './key-exchange.ts';
import { networksOf, receiveBufferBytes, tracesOf } from './network-options.ts';
import { stackNamesOf, stacksOfServer } from './own-program.ts';
import { assertOptionsApply, eachNamedOnce, ownStackOfWord } from './own-stacks.ts';
import { comparisonsOf, defaultBudgetMs, type PlanSize } from './plan-notice.ts';
import { blocksPerLook } from './schedule.ts';

/** A run's options, with defaults filled in and names resolved. */
export interface Options {
  experiment: Slice;
  /** Preset that supplies defaults; null: none. */
  preset: string | null;
  /** Names of sites, sizes, or other subjects of the experiment; empty for live hosts and pages. */
  subjects: readonly string[];
  /** Live hosts or pages; null: local servers serve the subjects. */
  live: readonly LiveSubject[] | null;
  /** Name of the client program. */
  client: string;
  /** The user's own servers; null: absent. */
  server: readonly NamedServer[] | null;
  /** null: the usual browser. */
  browsers: readonly NamedBrowser[] | null;
  /** Includes the control, right after the stack that it repeats. */
  stacks: readonly Stack[];
  /** Requested stacks that are not among them. */
  excludedStacks: ExcludedStack[];
  /** The maximum if a rule stops them. */
  repetitions: number;
  /** null: all repetitions are made. */
  stopping: StoppingRule | null;
  seed: number;
  timeoutS: number;
  networks: readonly NetworkCondition[];
  /** Recorded links of the networks. */
  traces: readonly Trace[];
  /** Name of a factor of the experiment to its values. */
  factors: Readonly<Record<string, readonly string[]>>;
  /** Without the cores, which depend on the machine. */
  choices: UnpinnedChoices;
  pin: boolean;
  analysis: AnalysisPlan;
  backend: BackendChoice;
  invocation: InvocationOptions;
  /** Rule for an exit status of its own; null: no rule. */
  failIf: string | null;
  /** Files for findings; null: none. */
  findings: FindingsFiles;
  /** null: a new folder in results/. */
  out: string | null;
  /** Additional format for the attempts; null: no second file. */
  dialect: string | null;
}

/**
 * Reads the words after an experiment's command.
 * @throws UsageError with the wrong value and the valid ones.
 */
export function readOptions(
  words: readonly string[],
  experiment: Slice = experimentOf({ experiment: 'page-load' }),
  presets: Presets = {},
): Options {
  const command = experiment.command?.name ?? 'benchmark';
  return optionsOf(readCommandLine([command, ...words]) ?? { given: {} }, experiment, presets);
}

/**
 * Resolves the options that the user gave.
 * @param excludedStacks stacks that cannot be measured here
 * @throws UsageError with the wrong value and the valid ones.
 */
export function optionsOf(
  { given, operands = [] }: { given: RawOptions; operands?: readonly string[] },
  experiment: Slice,
  presets: Presets,
  excludedStacks: ExcludedStack[] = [],
): Options {
  const { preset = null } = given;
  const ofPreset =
    preset === null
      ? {}
      : (presetNamed(preset, presets, experiment, allExperiments()).options ?? {});
  const values = runValuesOf(experiment, given, ofPreset);
  const { planning = {} } = experiment;
  const live = liveOf(values, operands, experiment);
  const firstSettings = firstSettingValues(values);
  const known = [...STACKS, ...(experiment.stacks ?? [])];
  const byBrowser = armsByBrowser(
    armsOf(values, live !== null, experiment, excludedStacks),
    values.browser,
    known,
    experiment,
  );
  const arms = withSettings(byBrowser, firstSettings, known);
  const baseline = baselineOf(values.baseline, arms);
  const client = clientOf(values.client, experiment);
  const networks =
    live === null ? (planning.networks ?? networksOf)(values, networksOf) : [LIVE_NETWORK];
  const compared = withSettingsUnder(arms, networks, firstSettings, known);
  planning.assertCompatible?.(values, compared, networks);
  const factors = factorsOf(values, experiment);
  const measured = withControl(compared, values.control === '' ? baseline : values.control);
  const compare = values.baseline === null ? compareWithTwins : compareWithCounterparts;
  const stacks = compare(measured, baseline);
  const choices = choicesOf(values, { operands, arms: compared, client }, experiment);
  const further =
    planning.explanations?.(values, stacks, {
      baseline,
      choices,
      networks,
      excludedStacks,
    }) ?? null;
  const allStacks = [...stacks, ...(further?.stacks ?? [])];
  const problem = problemOfBrowsers(
    { arms: stacks.map((stack) => armOf(stack, { client })), networks, factors, choices },
    experiment,
  );
  if (problem !== null) {
    throw new UsageError(`--browser: ${problem}. Omit these, or load pages in Chromium alone.`);
  }
  const subjects = live === null ? (planning.subjects?.(values) ?? sitesOf(values.sites)) : [];
  return {
    experiment,
    preset,
    subjects,
    live,
    client,
    server: values.server,
    browsers: values.browser,
    stacks: allStacks,
    excludedStacks,
    ...repetitionsOf(
      values,
      {
        subjects: (live ?? subjects).length,
        arms: allStacks.length,
        conditions: networks.length * variantsOf({ factors }).length,
        compared: compared.length - 1,
        expectedLoadMs: planning.expectedMs?.(choices),
        explains: further !== null,
      },
      (live && planning.live?.mostRepetitions) ?? OPTION_DEFAULTS.mostRepetitions,
    ),
    seed: values.seed ?? randomInt(BOUNDS.seed[1]),
    timeoutS: values.timeout,
    networks,
    traces: tracesOf(values),
    factors,
    choices,
    pin: values.pin,
    analysis: {
      ...analysisOf(values, { baseline, experiment, networks }),
      ...(further && { explanations: [...further.explanations] }),
    },
    backend: values['network-backend'],
    invocation: invocationOptionsOf(values, given, optionsOfRun(experiment)),
    failIf: values['fail-if'],
    findings: { junit: values.junit, markdown: values.markdown },
    out: values.out,
    dialect: values.dialect,
  };
}

/** @throws UsageError for an unknown metric, and for a mix that does not fit the networks or the metric */
function analysisOf(
  { margin, metric: word, mix }: RunValues,
  {
    baseline,
    experiment,
    networks,
  }: { baseline: string; experiment: Experiment; networks: readonly NetworkCondition[] },
): AnalysisPlan {
  const metric = metricOf(word, experiment, networks);
  const analysis = { baseline, marginPercent: margin, metric };
  if (mix === null) return analysis;
  const problem = mixProblem(mix, networks, metricNamed(experiment, metric));
  if (problem === null) return { ...analysis, mix };
  throw new UsageError(`--mix: ${problem}`);
}

/** @throws UsageError for a client that the experiment does not support */
function clientOf(name: string | null, { client, clients = [client] }: Experiment): string {
  if (name === null || clients.includes(name)) return name ?? client;
  throw new UsageError(
    `--client ${name}: expected one of ${clients.join(', ')}.${didYouMean(name, clients)}`,
  );
}

/** The values of the experiment's factors, each an option of the same name; one without a value is no factor of the run. */
function factorsOf(values: RunValues, { factors }: Experiment): Options['factors'] {
  const given: Readonly<Record<string, unknown>> = values;
  return Object.fromEntries(
    Object.keys(factors).flatMap((name) => {
      const values = given[name] as readonly string[] | null | undefined;
      return values ? [[name, values]] : [];
    }),
  );
}

/** Name of a metric by its word; default: the experiment's first metric, or its metric for events. */
function metricOf(
  word: string | null,
  experiment: Experiment,
  networks: readonly NetworkCondition[],
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

function choicesOf(values: RunValues, request: PlanRequest, experiment: Slice): Options['choices'] {
  const { choices: own, planning = {} } = experiment;
  const ownChoices = planning.choices?.(values, request) ?? null;
  return {
    origins: values.coalesce ? 'shared' : 'own',
    certificateChain: values['cert-chain'],
    keyExchange: chooseKeyExchange(values, request.arms, request.client),
    deterministicPages: values.deterministic,
    thinkTime: values.think,
    isolation: values.isolation,
    ...commonSettings(firstSettingValues(values)),
    subResources: values['sub-resources'],
    document: documentOf(values.document, request.arms),
    tlsMost: values.tls,
    mtuBytes: values.mtu[0] ?? OPTION_DEFAULTS.mtuBytes,
    offloads: values.offloads,
    receiveBufferBytes: receiveBufferOf(values, request),
    order: values.order,
    keepSecrets: values['keep-secrets'],
    packets: values.packets,
    qlogs: qlogsOf(values),
    tcpInfoMs: values['tcp-info'],
    netLogs: values['net-log'],
    hars: values.hars,
    compressHars: values['compress-hars'],
    ...planning.common?.(values),
    ...(own && ownChoices && { [own.name]: ownChoices }),
  };
}

/** null: the kernel's default, which live runs always use. */
function receiveBufferOf(
  { 'receive-buffer': [first = 'matched'] }: RunValues,
  { operands }: PlanRequest,
): number | null {
  return operands.length > 0 ? null : receiveBufferBytes(first);
}

/**
 * The live hosts or pages to measure; null: local servers.
 * @throws UsageError for operands without --live, and the other way round
 */
function liveOf(
  values: RunValues,
  operands: readonly string[],
  { planning: { live } = {} }: Slice,
): LiveSubject[] | null {
  if (!live) return null;
  const isAsked = (values as RunValues & { live?: boolean }).live ?? false;
  if (isAsked && operands.length === 0) {
    throw new UsageError(`--live: which ${live.noun}? Name them: ${live.operands}.`);
  }
  if (isAsked) return live.read(operands);
  if (operands.length === 0) return null;
  throw new UsageError(
    `${operands.map(withoutPassword).join(' ')}: ${live.noun} are measured over the network of this machine. To allow it, add --live. ${live.otherwise}.`,
  );
}

/**
 * A number of repetitions, or the rule that stops them.
 * @throws UsageError for options that exclude the rule
 */
function repetitionsOf(
  values: RunValues,
  size: PlanSize,
  most: number,
): Pick<Options, 'repetitions' | 'stopping'> {
  const { repetitions } = values;
  if (repetitions !== 'auto') return { repetitions, stopping: null };
  // A stack that is only compared with itself decides nothing.
  if (size.compared === 0) return { repetitions: OPTION_DEFAULTS.repetitionsAlone, stopping: null };
  const apart = (['freeze', 'shard', 'queue'] as const).find((name) => values[name] !== null);
  // A frozen plan or a resumed run has its own.
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
  const rule = { rule: 'pocock-spending', alpha: OPTION_DEFAULTS.alpha } as const;
  if (size.explains) {
    const { repetitionsExplained: repetitions, budgetExplainedMs } = OPTION_DEFAULTS;
    const budgetMs = values.budget ?? size.subjects * size.conditions * budgetExplainedMs;
    // Parts are estimated from all blocks: there is one look, at the end.
    return { repetitions, stopping: { ...rule, budgetMs, blocksPerLook: repetitions } };
  }
  return {
    repetitions: most,
    stopping: {
      ...rule,
      budgetMs: values.budget ?? defaultBudgetMs(size),
      blocksPerLook: blocksPerLook(size.arms, comparisonsOf(size)),
    },
  };
}

/** The stacks, each with every selected transport. */
function armsOf(
  values: RunValues,
  isLive: boolean,
  experiment: Slice,
  excludedStacks: readonly ExcludedStack[],
): readonly Stack[] {
  const { planning = {} } = experiment;
  if (isLive && planning.live) return planning.live.arms(values);
  const named = planning.stacks?.(values) ?? values.stacks;
  const offered = experiment.stacks ?? STACKS;
  const own = values.server?.map((each) => stacksOfServer(each, [...STACKS, ...offered])) ?? [];
  const without = new Set(excludedStacks.map(({ stack }) => stack));
  const stacks = stacksOf(named, [...offered, ...own.flat()], own, experiment).filter(
    ({ stack }) => !without.has(stack),
  );
  assertOptionsApply(stacks, values, experiment);
  assertChosen(stacks, experiment);
  return planning.arms?.(stacks, values) ?? stacks;
}

/**
 * Where a stack offers two versions of HTTP at one address, the client has to choose one.
 * @throws UsageError when the experiment's client does not choose
 */
function assertChosen(stacks: readonly Stack[], { command, choosesVersion }: Experiment): void {
  if (choosesVersion) return;
  const both = stacks.find(({ protocol }) => offersBoth(protocol));
  if (!both) return;
  throw new UsageError(
    `${both.stack} offers HTTP/2 and HTTP/3 at one address, and npm run ${command?.name} cannot choose between them. Use stacks of one protocol, such as ${DEFAULTS.baseline}, or npm run benchmark.`,
  );
}

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

/** @param own stacks of each server of the user, the default when --server is given */
function stacksOf(
  names: readonly string[] | null,
  offered: readonly Stack[],
  own: readonly (readonly Stack[])[],
  { stacksByDefault }: Pick<Experiment, 'stacksByDefault'>,
): Stack[] {
  if (names === null) {
    const isDefault = ({ stack, byDefault }: Stack) =>
      own.length > 0 ? byDefault : (stacksByDefault?.includes(stack) ?? byDefault);
    return withOwnTwins((own.length > 0 ? own.flat() : offered).filter(isDefault));
  }
  const unused = own.find((each) => !each.some(({ stack }) => names.includes(stack)));
  if (unused) {
    throw new UsageError(
      `--server and the stacks ${names.join(',')}: your server is not among them. Add one of ${unused.map(({ stack }) => stack).join(', ')}.`,
    );
  }
  const stacks = [...new Set(names)].map((name) => {
    if (name.includes('=')) return ownStackOfWord(name, offered);
    assertVersion(name, offered);
    const found = stackOfName(name, offered);
    if (found) return found;
    if (stackNamesOf('own').includes(name)) {
      throw new UsageError(
        `--stacks ${name}: a server of your own. Name its program: --server PROGRAM.`,
      );
    }
    const known = offered.map(({ stack }) => stack);
    throw new UsageError(
      `Unknown stack ${name}.${didYouMean(name, known)} Stacks: ${known.join(', ')}; or NAME=https://HOST:PORT of a server of your own.`,
    );
  });
  return withOwnTwins(eachNamedOnce(stacks));
}

/** Inserts the control after the stack that it repeats. */
function withControl(stacks: readonly Stack[], name: string | null): Stack[] {
  if (name === null) return [...stacks];
  if (!stacks.some(({ stack }) => stack === name)) {
    const names = stacks.map(({ stack }) => stack).join(', ');
    throw new UsageError(`--control ${name}: expected a stack of this run: ${names}.`);
  }
  return stacks.flatMap((stack) => (stack.stack === name ? [stack, controlOf(stack)] : [stack]));
}

/** @throws UsageError without captures to convert */
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
    `--document as-saved: no stack of this run supports it. Add one of ${able.join(', ')} to --stacks.`,
  );
}

/** Default baselines, the first one that the run has. */
const BASELINES: readonly string[] = [DEFAULTS.baseline, 'tls1.3', 'h2'];

function baselineOf(name: string | null, stacks: readonly Stack[]): string {
  const names = stacks.map(({ stack }) => stack);
  if (name === null) {
    const [found] = BASELINES.flatMap(
      (each) => names.find((one) => splitBrowser(one)[0] === each) ?? [],
    );
    const usual = found ?? defaultBaseline(stacks);
    return usual ?? names[0] ?? DEFAULTS.baseline;
  }
  if (names.includes(name)) return name;
  throw new UsageError(`--baseline ${name}: expected a stack of this run: ${names.join(', ')}.`);
}
