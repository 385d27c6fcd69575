import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { listSites, publishedSites, QUICK_SITES } from '../cache/catalogue.ts';
import { readSiteList, SiteListError } from '../cache/site-list.ts';
import { type Experiment, verdictMetrics } from '../experiments/experiment.ts';
import { pageLoad } from '../experiments/page-load/experiment.ts';
import { NAMED_CONDITIONS } from '../network/conditions.ts';
import { BACKENDS, type BackendChoice } from '../network/network.ts';
import { variantsOf } from '../records/factors.ts';
import type { AskedNetwork } from '../records/network.ts';
import type { AnalysisPlan, RunChoices, StoppingRule } from '../records/run.ts';
import { STACKS } from '../servers/index.ts';
import { controlOf, type Stack } from '../servers/stack.ts';
import { UsageError } from '../system/errors.ts';
import { readBudget } from './campaign/budget.ts';
import { DEFAULTS } from './defaults.ts';
import {
  INVOCATION_OPTIONS,
  type InvocationOptions,
  readInvocationOptions,
} from './invocation-options.ts';
import { didYouMean } from './nearest-name.ts';
import { NETWORK_OPTIONS, readNetworks } from './network-options.ts';
import { readChoice, readChoices, readInteger, readList, readNumber } from './option-values.ts';
import { defaultBudgetMs, type PlanSize } from './plan-notice.ts';
import { presetOptions } from './presets/presets.ts';
import { blocksPerLook } from './schedule.ts';

/** The command line, checked and with every default filled in. */
export interface Options {
  /** What is measured. */
  experiment: Experiment;
  /** Where the options not given by the user came from; null: from the defaults alone. */
  preset: string | null;
  sites: readonly string[];
  /** With the control, if there is one, right behind the stack that it repeats. */
  stacks: readonly Stack[];
  /** The most of them where a rule stops them. */
  repetitions: number;
  /** null: all repetitions are made. */
  stopping: StoppingRule | null;
  seed: number;
  timeoutS: number;
  networks: readonly AskedNetwork[];
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
  /** null: a new folder in results/. */
  out: string | null;
}

const STACK_NAMES = STACKS.map(({ stack }) => stack);
const DEFAULT_STACKS = STACKS.flatMap(({ stack, byDefault }) => (byDefault ? [stack] : []));
const MOST_SEED = 2 ** 31 - 1;
const RECEIVE_BUFFER_BYTES: [number, number] = [4096, 2 ** 30];

/** What `npm run benchmark -- --help` prints. */
export const HELP = `Loads cached sites in Chromium over several server stacks and reports their page load times.

npm run benchmark -- [options]

  --preset P         published: as the comparison of 2018 was made, whose numbers the report shows beside ours; ladder: from
                     there to a proper comparison, one change after another. Other options have the last word

What is loaded
  --sites a,b        sites of the cache, @FILE with one name per line, or the sets quick, published, all (default quick:
                     ${QUICK_SITES.join(',\n                     ')})
  --stacks a,b       ${STACK_NAMES.join(', ')}
                     (default ${DEFAULT_STACKS.join(', ')})
  --repetitions N    measured loads of each site by each stack under each condition, 1 to 1000; auto: as many as it takes until
                     every primary answer is told, at most ${DEFAULTS.mostRepetitions}, within --budget (default auto)
  --visit a,b        cold: nothing is known of the site; repeat: cache, cookies and session tickets of an earlier
                     load; resumed: its session tickets alone; reload: the page is there and is loaded once more
                     (F5), over connections that are open (default cold)
  --isolation I      context: each load has a browser context of its own, as a first visit by a browser that is
                     running; process: each load has a browser that was just started (default context)
  --order O          shuffled: the stacks take turns, in an order of their own in each block; sequential: all loads
                     of a stack, then all of the next one (default shuffled)
  --seed N           decides the order of the loads (default: drawn, and recorded)
  --timeout S        seconds until a page without load event counts as failed (default ${DEFAULTS.timeoutS})
  --out DIR          folder of the results, new or empty (default results/<run-id>)

The network
  --rtt a,b          round-trip times to add in ms, each a condition of its own (default ${DEFAULTS.rttMs.join()})
  --down N --up N    rates towards browser and servers in kbit/s, for the conditions of --rtt (default no limit)
  --loss P           percent of packets lost in each direction (default 0)
  --jitter N         ms by which the delay of each packet varies, each way (default 0)
  --burst-loss P,R   loss in bursts: percent chance of a packet to begin one, and to end one
  --mtu N            largest packet of the path in bytes, 1280 to 65535 (default ${DEFAULTS.mtuBytes})
  --offloads O       on: several segments may cross the path as one packet, as on loopback (default off)
  --receive-buffer B what TCP's receive buffer begins with, which bounds how much may be under way: stock, or bytes
                     (default stock)
  --network a,b      named conditions: ${NAMED_CONDITIONS.map(({ name }) => name).join(', ')}
  --network-backend  ${BACKENDS.join(', ')} (default auto: netem when the kernel has it)

The comparison
  --baseline STACK   the stack that the others are compared with (default ${DEFAULTS.baseline}, else the first)
  --margin P         stacks whose ratio surely lies within P percent of 1 are the same (default ${DEFAULTS.marginPercent})
  --metric M         what verdicts are about: page-load, or document, the main document's request alone (default
                     page-load)
  --control [STACK]  loads one stack (default the baseline) a second time under another label: how often the two
                     are called different is how often this machine calls differences that are none

What the stacks have in common
  --initcwnd W       initial window of TCP: matched to the ${DEFAULTS.matchedInitcwnd} packets of lsquic, or stock (default matched)
  --cert-chain C     small (one ECDSA certificate), or realistic (about 3.5 kB, as most sites have) (default small)
  --coalesce         one address and certificate for all hosts of a site, so that browsers share connections
  --deterministic    which pages get a seeded Math.random and a Date of their own: recorded (all that are not
                     generated), all, none (default recorded)
  --think T          recorded: servers wait before an answer as long as the recorded ones did (default off)
  --sub-resources S  served, or missing: all but the main document is answered 404 (default served)
  --document D       recorded, or as-saved: Flask's development server sends the main document with its header lines
                     as text, as wget saves it (default recorded)
  --tls V            newest TLS over TCP: 1.2 or 1.3 (default 1.3; QUIC has 1.3 always)
  --pin              servers and browser on cores of their own
  --hars H           HARs kept of loads that are ok: all, median (those of the median loads), none (default all)
  --compress-hars    writes HARs as .har.gz
  --keep-secrets     leaves cookies, authorization values and bodies of requests in HARs

How it goes
  --resume DIR       goes on with a run that was interrupted: what is measured stays, what is not is measured now
  --resume-anyway    goes on although browser, servers or machine are not what they were; the report says so
  --freeze FILE      writes the plan into a file instead of carrying it out, for several machines to share; needs a number
                     of repetitions
  --plan FILE        carries out a plan that was frozen
  --shard I/N        only part I of N of the plan; npm run merge joins the parts
  --shard-by B       what stays whole in a part: sites (default) or blocks
  --queue URL        takes blocks from a queue in Redis (redis://host:6379), for workers that share a plan
  --budget T         begins no new block after this time: 90s, 45m, 2h (default with --repetitions auto: ${DEFAULTS.budgetMs / 60_000}m, or twice the time to the first look; else none)
  --stop-after N     stops after so many loads in a row that failed in the same way (default ${DEFAULTS.stopAfter})
  --progress P       text, or jsonl: one JSON object per line on stdout, for programs (default text)
  --fail-if RULE     exit status 7 if that is so, 8 if it cannot be told: "lsquic-h3 slower than bun-h2 by 5%"
  -h, --help         prints this

Exit status: 0 all loads ok, 1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something, 4 a server failed,
5 the network is not what was asked for, 6 some loads failed or were invalid, 7 what
--fail-if names is so, 8 it could not be decided, 130 interrupted.`;

/**
 * Reads the command line; null: help was asked for.
 * @throws UsageError with the wrong value and the valid ones.
 */
export function readOptions(
  args: readonly string[],
  experiment: Experiment = pageLoad,
): Options | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  if (positionals.length > 0) {
    throw new UsageError(
      `Unexpected argument ${positionals.join(' ')}. Options: ${OPTION_WORDS.join(', ')}.`,
    );
  }
  const asked = readStacks(values.stacks);
  const baseline = readBaseline(values.baseline, asked);
  const matched = readChoice('initcwnd', values.initcwnd ?? 'matched', ['stock', 'matched']);
  const sites = readSites(values.sites ?? 'quick');
  const networks = readNetworks(values);
  const factors: Options['factors'] = Object.fromEntries(
    Object.entries(experiment.factors).map(([name, factor]) => {
      const known = Object.keys(factor);
      const given = values[name as 'visit'];
      return [name, readChoices(name, given ?? known[0] ?? '', known)];
    }),
  );
  const stacks = withControl(asked, values.control === '' ? baseline : values.control);
  return {
    experiment,
    preset: values.preset ?? null,
    sites,
    stacks,
    ...readRepetitions(values, {
      subjects: sites.length,
      arms: stacks.length,
      conditions: networks.length * variantsOf({ factors }).length,
      compared: asked.length - 1,
    }),
    seed: readInteger('seed', values.seed, randomInt(MOST_SEED), [0, MOST_SEED]),
    timeoutS: readInteger('timeout', values.timeout, DEFAULTS.timeoutS, [1, 3600]),
    networks,
    factors,
    choices: {
      origins: values.coalesce ? 'shared' : 'own',
      certificateChain: readChoice('cert-chain', values['cert-chain'] ?? 'small', [
        'small',
        'realistic',
      ]),
      deterministicPages: readChoice('deterministic', values.deterministic ?? 'recorded', [
        'recorded',
        'all',
        'none',
      ]),
      thinkTime: readChoice('think', values.think ?? 'off', ['off', 'recorded']),
      isolation: readChoice('isolation', values.isolation ?? 'context', ['context', 'process']),
      initialWindowSegments: matched === 'matched' ? DEFAULTS.matchedInitcwnd : null,
      subResources: readChoice('sub-resources', values['sub-resources'] ?? 'served', [
        'served',
        'missing',
      ]),
      document: readDocument(values.document ?? 'recorded', asked),
      tlsMost: readChoice('tls', values.tls ?? '1.3', ['1.2', '1.3']),
      mtuBytes: readInteger('mtu', values.mtu, DEFAULTS.mtuBytes, [1280, 65_535]),
      offloads: readChoice('offloads', values.offloads ?? 'off', ['off', 'on']),
      receiveBufferBytes: readReceiveBuffer(values['receive-buffer'] ?? 'stock'),
      order: readChoice('order', values.order ?? 'shuffled', ['shuffled', 'sequential']),
      keepSecrets: values['keep-secrets'] ?? false,
      hars: readChoice('hars', values.hars ?? 'all', ['all', 'median', 'none']),
      compressHars: values['compress-hars'] ?? false,
    },
    pin: values.pin ?? false,
    analysis: {
      baseline,
      marginPercent: readNumber('margin', values.margin ?? `${DEFAULTS.marginPercent}`, [0.1, 50]),
      metric: readMetric(values.metric, experiment),
    },
    backend: readChoice('network-backend', values['network-backend'] ?? 'auto', BACKENDS),
    invocation: readInvocationOptions(values),
    failIf: values['fail-if'] ?? null,
    out: values.out ?? null,
  };
}

/** Every option of `npm run benchmark`. */
export const OPTIONS = {
  preset: { type: 'string' },
  sites: { type: 'string' },
  stacks: { type: 'string' },
  repetitions: { type: 'string' },
  visit: { type: 'string' },
  order: { type: 'string' },
  metric: { type: 'string' },
  tls: { type: 'string' },
  document: { type: 'string' },
  'sub-resources': { type: 'string' },
  hars: { type: 'string' },
  'compress-hars': { type: 'boolean' },
  'keep-secrets': { type: 'boolean' },
  seed: { type: 'string' },
  timeout: { type: 'string' },
  ...NETWORK_OPTIONS,
  'network-backend': { type: 'string' },
  mtu: { type: 'string' },
  offloads: { type: 'string' },
  'receive-buffer': { type: 'string' },
  baseline: { type: 'string' },
  margin: { type: 'string' },
  control: { type: 'string' },
  initcwnd: { type: 'string' },
  'cert-chain': { type: 'string' },
  coalesce: { type: 'boolean' },
  deterministic: { type: 'string' },
  think: { type: 'string' },
  pin: { type: 'boolean' },
  isolation: { type: 'string' },
  out: { type: 'string' },
  ...INVOCATION_OPTIONS,
  'fail-if': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const OPTION_WORDS = Object.keys(OPTIONS).map((name) => `--${name}`);

function parse(args: readonly string[]) {
  const whole = withValuesAttached(args);
  try {
    const given = parseArgs({ args: whole, options: OPTIONS, allowPositionals: true });
    const { preset, help } = given.values;
    if (preset === undefined || help) return given;
    // What is given beside the preset has the last word.
    const args = [...presetOptions(preset), ...whole];
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [message = ''] = (error as Error).message.split('. ');
    const unknown = /^Unknown option '(--[^']+)'/.exec(message)?.[1];
    const near = unknown === undefined ? '' : didYouMean(unknown, OPTION_WORDS);
    throw new UsageError(`${message}.${near} Options: ${OPTION_WORDS.join(', ')}.`);
  }
}

/** The words with what parseArgs would misread: `--control` may have no value, and a value may be a number below 0. */
function withValuesAttached(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => {
    const next = args[index + 1] ?? '-';
    if (arg === '--control' && next.startsWith('-')) return ['--control='];
    if (/^-\d/.test(arg) && isOpenOption(args[index - 1])) return [];
    return isOpenOption(arg) && /^-\d/.test(next) ? [`${arg}=${next}`] : [arg];
  });
}

function isOpenOption(word = ''): boolean {
  return Object.entries(OPTIONS).some(
    ([name, { type }]) => `--${name}` === word && type === 'string',
  );
}

/**
 * A number of repetitions, or the rule that stops them.
 * @throws UsageError for options that the rule does not go with
 */
function readRepetitions(
  values: ReturnType<typeof parse>['values'],
  size: PlanSize & { compared: number },
): Pick<Options, 'repetitions' | 'stopping'> {
  const { repetitions = 'auto' } = values;
  if (repetitions !== 'auto') {
    const number = readInteger('repetitions', repetitions, 0, [1, 1000], 'auto, or ');
    return { repetitions: number, stopping: null };
  }
  // Nothing can be told of stacks that are compared with nothing but themselves.
  if (size.compared === 0) return { repetitions: DEFAULTS.repetitionsAlone, stopping: null };
  const apart = (['freeze', 'shard', 'queue'] as const).find((name) => values[name] !== undefined);
  // A frozen plan has its own, and so has a run that is gone on with.
  const isFrozen = values.plan !== undefined || values.resume !== undefined;
  if (apart !== undefined && !isFrozen) {
    throw new UsageError(
      `--repetitions auto (the default) and --${apart} do not go together: whoever makes a part of a run cannot see when all of it is told. Give a number, for example --repetitions 20.`,
    );
  }
  if (values.order === 'sequential') {
    throw new UsageError(
      '--repetitions auto (the default) and --order sequential do not go together: nothing can be told before the last stack has its turn. Give a number, for example --repetitions 20.',
    );
  }
  return {
    repetitions: DEFAULTS.mostRepetitions,
    stopping: {
      rule: 'pocock-spending',
      alpha: DEFAULTS.alpha,
      budgetMs: values.budget === undefined ? defaultBudgetMs(size) : readBudget(values.budget),
      blocksPerLook: blocksPerLook(size.arms),
    },
  };
}

function readSites(text: string): string[] {
  const sets: Record<string, () => string[]> = {
    quick: () => [...QUICK_SITES],
    published: publishedSites,
    all: listSites,
  };
  const sites = readList('sites', text).flatMap(
    (name) => sets[name]?.() ?? (name.startsWith('@') ? sitesOfFile(name.slice(1)) : [name]),
  );
  return [...new Set(sites)];
}

function sitesOfFile(file: string): string[] {
  try {
    return readSiteList(file);
  } catch (error) {
    if (error instanceof SiteListError) throw new UsageError(`--sites @${file}: ${error.message}`);
    throw error;
  }
}

function readStacks(text: string | undefined): Stack[] {
  if (text === undefined) return STACKS.filter(({ byDefault }) => byDefault);
  return [...new Set(readList('stacks', text))].map((name) => {
    const stack = STACKS.find((each) => each.stack === name);
    if (!stack)
      throw new UsageError(
        `Unknown stack ${name}.${didYouMean(name, STACK_NAMES)} Stacks: ${STACK_NAMES.join(', ')}.`,
      );
    return stack;
  });
}

/** Puts the control behind the stack that it repeats. */
function withControl(stacks: readonly Stack[], name: string | undefined): Stack[] {
  if (name === undefined) return [...stacks];
  if (!stacks.some(({ stack }) => stack === name)) {
    const names = stacks.map(({ stack }) => stack).join(', ');
    throw new UsageError(`--control ${name}: expected a stack of this run: ${names}.`);
  }
  return stacks.flatMap((stack) => (stack.stack === name ? [stack, controlOf(stack)] : [stack]));
}

function readReceiveBuffer(text: string): number | null {
  if (text === 'stock') return null;
  return readInteger('receive-buffer', text, 0, RECEIVE_BUFFER_BYTES, 'stock, or bytes as ');
}

function readDocument(text: string, stacks: readonly Stack[]): RunChoices['document'] {
  const document = readChoice('document', text, ['recorded', 'as-saved']);
  if (document === 'recorded' || stacks.some(({ sendsAsSaved }) => sendsAsSaved)) return document;
  const able = STACKS.flatMap(({ stack, sendsAsSaved }) => (sendsAsSaved ? [stack] : []));
  throw new UsageError(
    `--document as-saved: no stack of this run sends documents so. Add one of ${able.join(', ')} to --stacks.`,
  );
}

function readBaseline(name: string | undefined, stacks: readonly Stack[]): string {
  const names = stacks.map(({ stack }) => stack);
  if (name === undefined) {
    return names.includes(DEFAULTS.baseline) ? DEFAULTS.baseline : (names[0] ?? DEFAULTS.baseline);
  }
  if (names.includes(name)) return name;
  throw new UsageError(`--baseline ${name}: expected a stack of this run: ${names.join(', ')}.`);
}

/** The name of a metric by its word; the experiment's first where none is asked for. */
function readMetric(word: string | undefined, experiment: Experiment): string {
  const metrics = verdictMetrics(experiment);
  const words = metrics.map((metric) => metric.word);
  const wanted = readChoice('metric', word ?? words[0] ?? '', words);
  return metrics.find((metric) => metric.word === wanted)?.name ?? wanted;
}
