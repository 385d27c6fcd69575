import { bounded, unbounded } from './failed-value.ts';
import { walshAverage, walshCount } from './walsh-averages.ts';

/**
 * Hodges-Lehmann estimate of one sample, or of paired differences: the median of the means of all pairs of values,
 * each value with itself included. It estimates the pseudomedian, which is the median and the mean when the
 * distribution is symmetric, as that of differences between two stacks with the same noise is. Infinite values are
 * failures: the estimate is finite while fewer than 29 % of the values are. Null without values.
 * Source: Hodges and Lehmann 1963, doi:10.1214/aoms/1177704172.
 * @example hodgesLehmann([1, 2, 6]) // means 1 1.5 2 3.5 4 6: half-way between 2 and 3.5 = 2.75
 */
export function hodgesLehmann(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = bounded(values).toSorted((a, b) => a - b);
  return unbounded(middleOf((rank) => walshAverage(sorted, rank), walshCount(values.length)));
}

/** The median of `count` numbers that are known by their rank. */
function middleOf(ranked: (rank: number) => number, count: number): number {
  const lower = ranked(Math.ceil(count / 2));
  return count % 2 === 1 ? lower : (lower + ranked(count / 2 + 1)) / 2;
}
