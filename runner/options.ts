import { parseArgs } from 'node:util';
import { listSites, publishedSites, QUICK_SITES } from '../cache/catalogue.ts';
import type { AskedNetwork, BurstLoss } from '../records/network.ts';
import { DEFAULTS } from './defaults.ts';
import { UsageError } from './errors.ts';
import { conditionName, NAMED_CONDITIONS } from './network/conditions.ts';
import { BACKENDS, type BackendChoice } from './network/network.ts';
import { STACKS, type Stack } from './stacks.ts';

/** The command line, checked and with every default filled in. */
export interface Options {
  sites: readonly string[];
  stacks: readonly Stack[];
  repetitions: number;
  seed: number;
  timeoutS: number;
  networks: readonly AskedNetwork[];
  backend: BackendChoice;
  /** Initial congestion window of TCP in segments; null: the kernel's own. */
  initcwnd: number | null;
  /** null: a new folder in results/. */
  out: string | null;
}

const STACK_NAMES = STACKS.map(({ stack }) => stack);

/** What `npm run benchmark -- --help` prints. */
export const HELP = `Loads cached sites in Chromium over several server stacks and reports their page load times.

npm run benchmark -- [options]

  --sites a,b        sites of the cache, or the sets quick, published, all (default quick:
                     ${QUICK_SITES.join(',\n                     ')})
  --stacks a,b       ${STACK_NAMES.join(', ')} (default all)
  --repetitions N    measured loads of each site by each stack, 1 to 1000 (default ${DEFAULTS.repetitions})
  --seed N           decides the order of the loads (default ${DEFAULTS.seed})
  --timeout S        seconds until a page without load event counts as failed (default ${DEFAULTS.timeoutS})
  --rtt a,b          round-trip times to add in ms, each a condition of its own (default ${DEFAULTS.rttMs.join()})
  --down N --up N    rates towards browser and servers in kbit/s, for the conditions of --rtt (default no limit)
  --loss P           percent of packets lost in each direction (default 0)
  --jitter N         ms by which the delay of each packet varies, each way (default 0)
  --burst-loss P,R   loss in bursts: percent chance of a packet to begin one, and to end one
  --network a,b      named conditions: ${NAMED_CONDITIONS.map(({ name }) => name).join(', ')}
  --network-backend  ${BACKENDS.join(', ')} (default auto: netem when the kernel has it)
  --initcwnd W       initial window of TCP: stock, or matched to the ${DEFAULTS.matchedInitcwnd} packets of lsquic (default stock)
  --out DIR          folder of the results, new or empty (default results/<run-id>)
  --help             prints this

Exit status: 0 all loads ok, 1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something, 4 a server failed,
5 the network is not what was asked for, 6 some loads failed or were invalid, 130 interrupted.`;

/**
 * Reads the command line; null: help was asked for.
 * @throws UsageError with the wrong value and the valid ones.
 */
export function readOptions(args: readonly string[]): Options | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  if (positionals.length > 0) {
    throw new UsageError(`Unexpected argument ${positionals.join(' ')}. Options: ${OPTION_NAMES}.`);
  }
  return {
    sites: readSites(values.sites ?? 'quick'),
    stacks: readStacks(values.stacks),
    repetitions: readInteger('repetitions', values.repetitions, DEFAULTS.repetitions, [1, 1000]),
    seed: readInteger('seed', values.seed, DEFAULTS.seed, [0, 2 ** 31 - 1]),
    timeoutS: readInteger('timeout', values.timeout, DEFAULTS.timeoutS, [1, 3600]),
    networks: readNetworks(values),
    backend: readChoice('network-backend', values['network-backend'] ?? 'auto', BACKENDS),
    initcwnd:
      readChoice('initcwnd', values.initcwnd ?? 'stock', ['stock', 'matched']) === 'matched'
        ? DEFAULTS.matchedInitcwnd
        : null,
    out: values.out ?? null,
  };
}

const OPTIONS = {
  sites: { type: 'string' },
  stacks: { type: 'string' },
  repetitions: { type: 'string' },
  seed: { type: 'string' },
  timeout: { type: 'string' },
  rtt: { type: 'string' },
  down: { type: 'string' },
  up: { type: 'string' },
  loss: { type: 'string' },
  jitter: { type: 'string' },
  'burst-loss': { type: 'string' },
  network: { type: 'string' },
  'network-backend': { type: 'string' },
  initcwnd: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const OPTION_NAMES = Object.keys(OPTIONS)
  .map((name) => `--${name}`)
  .join(', ');

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. Options: ${OPTION_NAMES}.`);
  }
}

function readSites(text: string): string[] {
  const sets: Record<string, () => string[]> = {
    quick: () => [...QUICK_SITES],
    published: publishedSites,
    all: listSites,
  };
  const sites = readList('sites', text).flatMap((name) => sets[name]?.() ?? [name]);
  return [...new Set(sites)];
}

function readStacks(text: string | undefined): Stack[] {
  if (text === undefined) return [...STACKS];
  return [...new Set(readList('stacks', text))].map((name) => {
    const stack = STACKS.find((each) => each.stack === name);
    if (!stack) throw new UsageError(`Unknown stack ${name}. Stacks: ${STACK_NAMES.join(', ')}.`);
    return stack;
  });
}

const NUMBERED = ['rtt', 'down', 'up', 'loss', 'jitter', 'burst-loss'] as const;

/** The conditions of --network as they are named, and those of --rtt with everything that goes with it. */
function readNetworks(values: ReturnType<typeof parse>['values']): AskedNetwork[] {
  const named = values.network === undefined ? [] : readList('network', values.network);
  const networks = named.map((name): AskedNetwork => {
    const found = NAMED_CONDITIONS.find((condition) => condition.name === name);
    if (!found) {
      const names = NAMED_CONDITIONS.map((condition) => condition.name).join(', ');
      throw new UsageError(`Unknown network ${name}. Networks: ${names}.`);
    }
    const { source: _, ...condition } = found;
    return condition;
  });
  const numbered = NUMBERED.filter((name) => values[name] !== undefined);
  if (named.length > 0 && numbered.length > 0 && values.rtt === undefined) {
    throw new UsageError(
      `--${numbered.join(', --')} and --network: named networks have all their numbers. Give --rtt too for conditions of your own.`,
    );
  }
  if (named.length === 0 || values.rtt !== undefined) {
    const rttsMs =
      values.rtt === undefined
        ? DEFAULTS.rttMs
        : readList('rtt', values.rtt).map((text) => readNumber('rtt', text, [0, 10_000]));
    const downKbps = readOptionalNumber('down', values.down, [64, 10_000_000]);
    const upKbps = readOptionalNumber('up', values.up, [64, 10_000_000]);
    const lossPercent = readOptionalNumber('loss', values.loss, [0, 50]) ?? 0;
    const jitterMs = readOptionalNumber('jitter', values.jitter, [0, 1000]) ?? 0;
    const burstLoss = readBurstLoss(values['burst-loss']);
    for (const rttMs of rttsMs) {
      if (jitterMs > rttMs / 2) {
        throw new UsageError(
          `--jitter ${jitterMs} with --rtt ${rttMs}: expected at most half of the round-trip time, which is the delay each way.`,
        );
      }
      const numbers = { rttMs, downKbps, upKbps, lossPercent, jitterMs, burstLoss };
      networks.push({ name: conditionName(numbers), ...numbers });
    }
  }
  return [...new Map(networks.map((network) => [network.name, network])).values()];
}

function readBurstLoss(text: string | undefined): BurstLoss | null {
  if (text === undefined) return null;
  const [enter, leave, ...rest] = readList('burst-loss', text);
  if (enter === undefined || leave === undefined || rest.length > 0) {
    throw new UsageError(`--burst-loss ${text}: expected two percentages, for example 0.4,33.`);
  }
  return {
    enterPercent: readNumber('burst-loss', enter, [0, 100]),
    leavePercent: readNumber('burst-loss', leave, [1, 100]),
  };
}

function readChoice<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found === undefined) {
    throw new UsageError(`--${option} ${text}: expected one of ${choices.join(', ')}.`);
  }
  return found;
}

function readOptionalNumber(
  option: string,
  text: string | undefined,
  range: [number, number],
): number | null {
  return text === undefined ? null : readNumber(option, text, range);
}

function readNumber(option: string, text: string, [minimum, maximum]: [number, number]): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(`--${option} ${text}: expected a number from ${minimum} to ${maximum}.`);
}

function readList(option: string, text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === '')) {
    throw new UsageError(
      `--${option} ${JSON.stringify(text)}: expected names with commas between.`,
    );
  }
  return names;
}

function readInteger(
  option: string,
  text: string | undefined,
  byDefault: number,
  [minimum, maximum]: [number, number],
): number {
  if (text === undefined) return byDefault;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(
    `--${option} ${text}: expected a whole number from ${minimum} to ${maximum}.`,
  );
}
