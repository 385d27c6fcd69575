import { existsSync } from 'node:fs';
import path from 'node:path';
import type { INVOCATION_OPTIONS } from '../ground/options/invocation.ts';
import type { OptionTable, RawOptions, Values } from '../ground/options/row.ts';
import type { Shard } from '../ground/records/shard.ts';
import { UsageError } from '../ground/system/errors.ts';
import { shellWord } from '../ground/system/shell-word.ts';
import { readShard } from './campaign/part.ts';
import { realFolder } from './real-folder.ts';

/** How one invocation proceeds, without effect on what is loaded or how. */
export interface InvocationOptions {
  /** Folder of a run to resume, with links resolved; null: a new run. */
  resume: string | null;
  /** Continue although something has changed. */
  resumeAnyway: boolean;
  /** File of a frozen plan to execute; null: the options make one. */
  plan: string | null;
  /** File to write the plan to, instead of executing it. */
  freeze: string | null;
  /** null: the whole plan. */
  shard: Shard | null;
  /** Address of the Redis whose queue hands out blocks; null: no queue. */
  queue: string | null;
  /** null: unlimited. */
  budgetMs: number | null;
  /** Number of failures in a row after which a cell is given up, or after which the invocation ends when nothing works. */
  stopAfter: number;
  progress: 'text' | 'jsonl';
}

/**
 * Reads the options of an invocation.
 * @throws UsageError with the wrong value, or the options that exclude each other
 */
export function invocationOptionsOf(
  values: Values<typeof INVOCATION_OPTIONS>,
  given: RawOptions,
  options: OptionTable,
): InvocationOptions {
  const { plan, freeze, queue } = values;
  assertFitsPlan(given, options);
  if (queue !== null && plan === null && values.resume === null) {
    throw new UsageError(
      '--queue needs --plan FILE: all workers share a plan, which --freeze FILE writes. To resume an interrupted worker, use --resume DIR --queue URL.',
    );
  }
  const resume = values.resume === null ? null : realFolder('resume', values.resume);
  if (resume !== null && !existsSync(path.join(resume, 'run.json'))) {
    throw new UsageError(
      `--resume ${values.resume}: there is no run.json. Expected the folder of a run, for example results/latest.`,
    );
  }
  if (plan !== null && !existsSync(plan)) {
    throw new UsageError(`--plan ${plan}: there is no such file. --freeze FILE writes one.`);
  }
  if (freeze !== null) assertNew(freeze);
  if (queue !== null && !/^rediss?:\/\//.test(queue)) {
    // The address may contain a password.
    throw new UsageError('--queue: expected an address such as redis://host:6379.');
  }
  return {
    resume,
    resumeAnyway: values['resume-anyway'],
    plan,
    freeze,
    shard: values.shard === null ? null : readShard(values.shard, values['shard-by']),
    queue,
    budgetMs: values.budget,
    stopAfter: values['stop-after'],
    progress: values.progress,
  };
}

/** Each machine has its own programs, which no plan chooses. */
const OF_MACHINE = ['server', 'browser'];

/** A given plan already has every option that decides what is loaded, and how. */
function assertFitsPlan(given: RawOptions, options: OptionTable): void {
  const from = (['resume', 'plan'] as const).find((name) => given[name] !== undefined);
  const deciding = Object.entries(options).flatMap(([name, { decides }]) =>
    given[name] !== undefined && decides !== 'invocation' && !OF_MACHINE.includes(name)
      ? [`--${name}`]
      : [],
  );
  if (from === undefined || deciding.length === 0) return;
  throw new UsageError(
    `--${from} and ${deciding.join(', ')}: a frozen plan decides what is loaded and how. Omit these, or start a new run.`,
  );
}

/** Never overwrites a plan: other machines may be measuring by it. */
function assertNew(file: string): void {
  if (existsSync(file)) {
    throw new UsageError(
      `--freeze ${file}: the file exists, and plans are never overwritten. Name another file, or remove this one; --plan ${shellWord(file)} executes it.`,
    );
  }
  const folder = path.dirname(file);
  if (existsSync(folder)) return;
  throw new UsageError(`--freeze ${file}: ${folder}: there is no such folder. Create it first.`);
}
