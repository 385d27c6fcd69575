import { clampInfinite, restoreInfinite } from './infinite-values.ts';
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
  const sorted = clampInfinite(values).toSorted((a, b) => a - b);
  const count = walshCount(values.length);
  const lower = walshAverage(sorted, Math.ceil(count / 2));
  const upper = count % 2 === 1 ? lower : walshAverage(sorted, count / 2 + 1);
  return restoreInfinite((lower + upper) / 2);
}
