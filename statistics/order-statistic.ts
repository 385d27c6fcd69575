import { rootOf } from './root.ts';

/**
 * The rank-th smallest (from 1) of very many numbers that are only counted, not listed: the smallest number with at
 * least `rank` of them at or below it. `low` is at most the smallest of them and `high` at least the largest.
 */
export function orderStatistic(
  countAtMost: (limit: number) => number,
  rank: number,
  low: number,
  high: number,
): number {
  if (countAtMost(low) >= rank) return low;
  return rootOf((limit) => countAtMost(limit) - rank, low, high);
}
