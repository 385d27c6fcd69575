import { clampInfinite, restoreInfinite } from './infinite-values.ts';
import { FEWEST_FOR_INTERVAL, type Interval, TAIL_PROBABILITY } from './interval.ts';
import { normalQuantile } from './normal-distribution.ts';
import { subsetSumDistribution } from './subset-sum-distribution.ts';
import { walshAverage, walshCount } from './walsh-averages.ts';
import { EXACT_UP_TO_PAIRS } from './wilcoxon-signed-rank.ts';

/** An interval with the share of samples in which it holds the truth, 0.95 or a little more. */
interface SignedRankInterval extends Interval {
  level: number;
}

/**
 * 95 % interval for the Hodges-Lehmann estimate of paired differences: the inverted signed-rank test. It is the
 * set of shifts that the test at 5 % does not reject, so without ties and zeros it excludes 0 exactly when the
 * test's p is below 0.05. Its ends are Walsh averages, it needs no resampling and no seed. For symmetric differences
 * without ties it holds the truth in exactly the `level` given (0.969 with 6 values, 0.953 with 7, 0.961 with 8 and
 * 9, 0.95 to 0.956 from 13 on), for any such distribution; ties make it hold more. Infinite values are failures, and an end that they reach is
 * infinite. Null below 6 values.
 * Source: Tukey 1949; Hollander, Wolfe and Chicken, Nonparametric Statistical Methods (3rd ed.), section 3.3.
 * @param tail the most that may lie outside on either side
 * @example hodgesLehmannInterval([3, 1, 2, 6, 4, 5]) // all Walsh averages: { low: 1, high: 6, level: 0.96875 }
 */
export function hodgesLehmannInterval(
  values: readonly number[],
  tail: number = TAIL_PROBABILITY,
): SignedRankInterval | null {
  const n = values.length;
  if (n < FEWEST_FOR_INTERVAL) return null;
  const sorted = clampInfinite(values).toSorted((a, b) => a - b);
  const { rank, level } = limits(n, tail);
  return {
    low: restoreInfinite(walshAverage(sorted, rank)),
    high: restoreInfinite(walshAverage(sorted, walshCount(n) + 1 - rank)),
    level,
  };
}

/**
 * Probability that the signed-rank test of n values has a p below 0.05 under the null hypothesis: at most 5 %, as p is discrete.
 * @param n 6 or more
 * @example attainableLevel(6) // 2 of 64 sign patterns: 0.03125
 */
export function attainableLevel(n: number): number {
  return 1 - limits(n, TAIL_PROBABILITY).level;
}

const known = new Map<string, { rank: number; level: number }>();

function limits(n: number, tail: number): { rank: number; level: number } {
  const key = `${n} ${tail}`;
  const found = known.get(key);
  if (found) return found;
  const made = n <= EXACT_UP_TO_PAIRS ? exactLimits(n, tail) : normalLimits(n, tail);
  known.set(key, made);
  return made;
}

/** The largest rank with P(W < rank) <= tail. */
function exactLimits(n: number, most: number): { rank: number; level: number } {
  const probabilities = subsetSumDistribution(Array.from({ length: n }, (_, i) => i + 1));
  let rank = 0;
  let tail = 0;
  while (tail + (probabilities[rank] as number) <= most) {
    tail += probabilities[rank] as number;
    rank++;
  }
  return { rank, level: 1 - 2 * tail };
}

/** As exactLimits(), by the normal approximation with continuity correction. */
function normalLimits(n: number, tail: number): { rank: number; level: number } {
  const deviation = Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
  const reach = normalQuantile(1 - tail) * deviation;
  return { rank: Math.floor(walshCount(n) / 2 - reach + 0.5), level: 1 - 2 * tail };
}
