import { findRoot } from './root.ts';

/** How many Walsh averages n values have: the means of all pairs, each value with itself included. */
export function walshCount(n: number): number {
  return (n * (n + 1)) / 2;
}

/**
 * The rank-th smallest (from 1) Walsh average of values that are sorted ascending: the smallest number with at least `rank` averages
 * at or below it. They are not listed: two pointers count those up to a limit, so n = 100,000 is no problem.
 */
export function walshAverage(sorted: readonly number[], rank: number): number {
  const n = sorted.length;
  const countAtMost = (limit: number): number => {
    let count = 0;
    let partner = n - 1;
    for (let i = 0; i < n; i++) {
      const value = sorted[i] as number;
      while (partner >= 0 && (value + (sorted[partner] as number)) / 2 > limit) partner--;
      if (partner < i) break;
      count += partner - i + 1;
    }
    return count;
  };
  const least = sorted[0] as number;
  if (countAtMost(least) >= rank) return least;
  return findRoot((limit) => countAtMost(limit) - rank, least, sorted[n - 1] as number);
}
