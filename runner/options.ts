import { parseArgs } from 'node:util';
import { listSites, publishedSites, QUICK_SITES } from '../cache/catalogue.ts';
import { DEFAULTS } from './defaults.ts';
import { UsageError } from './errors.ts';
import { STACKS, type Stack } from './stacks.ts';

/** The command line, checked and with every default filled in. */
export interface Options {
  sites: readonly string[];
  stacks: readonly Stack[];
  repetitions: number;
  seed: number;
  timeoutS: number;
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
  --out DIR          folder of the results, new or empty (default results/<run-id>)
  --help             prints this

Exit status: 0 all loads ok, 1 a bug, 2 wrong usage or damaged site, 3 this machine lacks something, 4 a server failed,
6 some loads failed or were invalid, 130 interrupted.`;

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
    out: values.out ?? null,
  };
}

const OPTIONS = {
  sites: { type: 'string' },
  stacks: { type: 'string' },
  repetitions: { type: 'string' },
  seed: { type: 'string' },
  timeout: { type: 'string' },
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
