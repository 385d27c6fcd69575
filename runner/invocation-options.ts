import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../system/errors.ts';
import { readBudget } from './campaign/budget.ts';
import { readShard, type Shard } from './campaign/part.ts';
import { DEFAULTS } from './defaults.ts';
import { readChoice, readInteger } from './option-values.ts';
import { realFolder } from './real-folder.ts';

/** How one invocation of a run goes: nothing of it changes what is loaded, or how. */
export interface InvocationOptions {
  /** Folder of a run to go on with, itself and not a link to it; null: a new one. */
  resume: string | null;
  /** Go on although something is not as it was. */
  resumeAnyway: boolean;
  /** File of a frozen plan to carry out; null: the options make one. */
  plan: string | null;
  /** File to write the plan to, instead of carrying it out. */
  freeze: string | null;
  /** null: the whole plan. */
  shard: Shard | null;
  /** Address of the Redis whose queue hands out blocks; null: no queue. */
  queue: string | null;
  /** null: as long as it takes. */
  budgetMs: number | null;
  /** So many failures of the same kind in a row end the invocation. */
  stopAfter: number;
  progress: 'text' | 'jsonl';
}

/** The options that say how an invocation goes. */
export const INVOCATION_OPTIONS = {
  resume: { type: 'string' },
  'resume-anyway': { type: 'boolean' },
  plan: { type: 'string' },
  freeze: { type: 'string' },
  shard: { type: 'string' },
  'shard-by': { type: 'string' },
  queue: { type: 'string' },
  budget: { type: 'string' },
  'stop-after': { type: 'string' },
  progress: { type: 'string' },
} as const;

type Values = {
  [Name in keyof typeof INVOCATION_OPTIONS]?: string | boolean | undefined;
};

/** What else may stand beside --resume and --plan, which have all that decides what is loaded. */
const BESIDE_A_PLAN = new Set(['out', 'help', 'fail-if', ...Object.keys(INVOCATION_OPTIONS)]);

/**
 * Reads them.
 * @throws UsageError with the wrong value, or the options that do not go together
 */
export function readInvocationOptions(values: Values & Record<string, unknown>): InvocationOptions {
  const { plan = null, freeze = null, queue = null } = values as Texts;
  refuseTogether(values);
  const text = (name: keyof typeof INVOCATION_OPTIONS) => values[name] as string | undefined;
  const asked = text('resume');
  const resume = asked === undefined ? null : realFolder('resume', asked);
  if (resume !== null && !existsSync(path.join(resume, 'run.json'))) {
    throw new UsageError(
      `--resume ${asked}: there is no run.json. Expected the folder of a run, for example results/latest.`,
    );
  }
  if (plan !== null && !existsSync(plan)) {
    throw new UsageError(`--plan ${plan}: there is no such file. --freeze FILE writes one.`);
  }
  if (freeze !== null) assertNew(freeze);
  const shardBy = readChoice('shard-by', text('shard-by') ?? 'sites', ['sites', 'blocks']);
  const shard = text('shard');
  const budget = text('budget');
  if (queue !== null && !/^rediss?:\/\//.test(queue)) {
    throw new UsageError(`--queue ${queue}: expected an address such as redis://host:6379.`);
  }
  return {
    ...{ resume, plan, freeze, queue },
    resumeAnyway: values['resume-anyway'] === true,
    shard: shard === undefined ? null : readShard(shard, shardBy),
    budgetMs: budget === undefined ? null : readBudget(budget),
    stopAfter: readInteger('stop-after', text('stop-after'), DEFAULTS.stopAfter, [1, 1000]),
    progress: readChoice('progress', text('progress') ?? 'text', ['text', 'jsonl']),
  };
}

type Texts = { [Name in 'plan' | 'freeze' | 'queue']?: string };

function refuseTogether(values: Record<string, unknown>): void {
  const given = Object.keys(values).filter((name) => values[name] !== undefined);
  const source = ['resume', 'plan'].filter((name) => given.includes(name));
  if (source.length > 1) throw new UsageError('--resume and --plan: only one of them.');
  const [from] = source;
  const deciding = given.filter((name) => !BESIDE_A_PLAN.has(name));
  if (from !== undefined && deciding.length > 0) {
    throw new UsageError(
      `--${from} and --${deciding.join(', --')}: a frozen plan decides what is loaded and how. Leave these out, or begin a new run.`,
    );
  }
  const pairs: [string, string][] = [
    ['resume', 'out'],
    ['resume', 'freeze'],
    ['queue', 'shard'],
    ['freeze', 'shard'],
    ['freeze', 'queue'],
    ['freeze', 'plan'],
  ];
  for (const [a, b] of pairs) {
    if (given.includes(a) && given.includes(b)) {
      throw new UsageError(`--${a} and --${b} do not go together.`);
    }
  }
  if (given.includes('queue') && from === undefined) {
    throw new UsageError(
      '--queue needs --plan FILE: all workers share a plan, which --freeze FILE writes. A worker that was interrupted goes on with --resume DIR --queue URL.',
    );
  }
  if (given.includes('resume-anyway') && from !== 'resume') {
    throw new UsageError('--resume-anyway goes with --resume DIR.');
  }
  if (given.includes('shard-by') && !given.includes('shard')) {
    throw new UsageError('--shard-by goes with --shard I/N.');
  }
}

/** Others may be measuring by the plan that is there. */
function assertNew(file: string): void {
  if (existsSync(file)) {
    throw new UsageError(
      `--freeze ${file}: there is such a file already, and plans are never overwritten. Name another file, or remove this one; --plan ${file} carries it out.`,
    );
  }
  const folder = path.dirname(file);
  if (existsSync(folder)) return;
  throw new UsageError(`--freeze ${file}: ${folder}: there is no such folder. Make it first.`);
}

/** The text of a file that the user named. */
export function readTextOf(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--${option} ${file}: it cannot be read: ${(error as Error).message}`);
  }
}
