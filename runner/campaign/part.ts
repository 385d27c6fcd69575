import type { Trial } from '../../ground/records/run.ts';
import { type Shard, shardText } from '../../ground/records/shard.ts';
import { UsageError } from '../../ground/system/errors.ts';

/**
 * Reads `2/4`.
 * @throws UsageError
 */
export function readShard(text: string, by: Shard['by']): Shard {
  const [, index, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), count: Number(count), by };
  if (shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new UsageError(
    `--shard ${text}: expected I/N with I from 1 to N, for example 2/4: the second of four parts.`,
  );
}

/** The trials of one part, in their order. All parts together are the plan, and no two have a trial in common. */
export function trialsOfShard(
  trials: readonly Trial[],
  { index, count, by }: Shard,
): readonly Trial[] {
  if (by === 'sites') {
    const subjects = [...new Set(trials.map(({ subject }) => subject))];
    const own = new Set(subjects.filter((_, at) => at % count === index - 1));
    return trials.filter(({ subject }) => own.has(subject));
  }
  // Consecutive blocks, which share servers and browsers. They are numbered from 1; warm-ups have number 0, and stay with the
  // first part that has blocks.
  const blocks = trials.reduce((most, { block }) => Math.max(most, block), 1);
  const partOf = (block: number) => Math.ceil((Math.max(1, block) * count) / blocks);
  return trials.filter(({ block }) => partOf(block) === index);
}

/** Name of a queue worker's part. */
export const QUEUE = 'queue';

/** The part of its plan that an invocation makes; null: the whole plan. */
export function partOf(shard: Shard | null, queue: string | null): string | null {
  if (queue !== null) return QUEUE;
  return shard && shardText(shard);
}

/**
 * Ids of the loads of a part, or of all loads.
 * @throws UsageError for an empty part
 */
export function ownOf(all: readonly Trial[], shard: Shard | null): Set<string> {
  const trials = shard ? trialsOfShard(all, shard) : all;
  if (trials.length === 0 && shard) {
    const orBlocks = shard.by === 'sites' ? ', or --shard-by blocks' : '';
    throw new UsageError(
      `--shard ${shard.index}/${shard.count} by ${shard.by}: the plan has nothing for it. Use fewer parts${orBlocks}.`,
    );
  }
  return new Set(trials.map(({ id }) => id));
}
