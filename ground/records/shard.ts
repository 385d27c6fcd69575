/** The part of a plan that one of several machines makes. */
export interface Shard {
  /** 1 to count. */
  index: number;
  count: number;
  /** What stays whole: all loads of a site, or those of a block. */
  by: 'sites' | 'blocks';
}

/** `shard 2/4`, with what stays whole. */
export function shardText({ index, count, by }: Shard): string {
  return `shard ${index}/${count} by ${by}`;
}

/** The shard of such a text; null: the whole plan, or a queue. */
export function shardOfText(text: string | null): Shard | null {
  const [, index, count, by] = /^shard (\d+)\/(\d+) by (sites|blocks)$/.exec(text ?? '') ?? [];
  return by ? { index: Number(index), count: Number(count), by: by as Shard['by'] } : null;
}
