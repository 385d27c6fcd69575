import type { Trial } from '../../ground/records/run.ts';
import { UsageError } from '../../ground/system/errors.ts';

/** One of several machines' parts of a plan. */
export interface Shard {
  /** 1 to count. */
  index: number;
  count: number;
  /** What stays whole: all loads of a site, or those of a block. */
  by: 'sites' | 'blocks';
}

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
  // Blocks are numbered from 1; warm-ups are of number 0, and stay with the first part.
  return trials.filter(({ block }) => Math.max(0, block - 1) % count === index - 1);
}

/** `shard 2/4`, with what stays whole. */
export function shardText({ index, count, by }: Shard): string {
  return `shard ${index}/${count} by ${by}`;
}

/** The shard of such a text; null: it was the whole plan, or a queue's. */
export function shardOfText(text: string | null): Shard | null {
  const [, index, count, by] = /^shard (\d+)\/(\d+) by (sites|blocks)$/.exec(text ?? '') ?? [];
  return by ? { index: Number(index), count: Number(count), by: by as Shard['by'] } : null;
}

/** The part of a plan that is a worker's. */
export const QUEUE = 'queue';

/** Which part of its plan an invocation makes; null: all of it. */
export function partOf(shard: Shard | null, queue: string | null): string | null {
  if (queue !== null) return QUEUE;
  return shard && shardText(shard);
}

/**
 * Ids of the loads of a part; null: of all.
 * @throws UsageError for a part that has none
 */
export function ownOf(all: readonly Trial[], shard: Shard | null): Set<string> {
  const trials = shard ? trialsOfShard(all, shard) : all;
  if (trials.length === 0 && shard) {
    throw new UsageError(
      `--shard ${shard.index}/${shard.count} by ${shard.by}: the plan has nothing for it. Use fewer parts, or --shard-by blocks.`,
    );
  }
  return new Set(trials.map(({ id }) => id));
}
