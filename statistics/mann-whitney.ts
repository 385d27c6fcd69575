import { doubledMidRanks } from './mid-ranks.ts';
import { normalTail } from './normal-distribution.ts';

/** What the Mann-Whitney test says about two unpaired samples. */
export interface MannWhitneyTest {
  /** Two-sided. */
  p: number;
  /** Pairs of one value of each sample in which the first sample's is larger; ties count half. */
  u: number;
  method: 'exact' | 'normal';
}

/** Up to so many values in each sample, and without ties, the p-value is exact. */
export const EXACT_UP_TO_VALUES = 50;

/**
 * Mann-Whitney test (Wilcoxon's rank-sum test) of two unpaired samples, two-sided, of the hypothesis that their
 * distributions are the same. Exact without ties and up to 50 values in each; else normal approximation, variance
 * corrected for ties, continuity correction of one half. The same as SciPy's `mannwhitneyu` with `method='exact'` and
 * `'asymptotic'`. Null when a sample is empty; p is 1 when all values are equal.
 * Source: Mann and Whitney 1947, doi:10.1214/aoms/1177730491.
 * @example mannWhitney([1, 2], [3, 4])?.p // 2 of the 6 arrangements = 0.333
 */
export function mannWhitney(
  first: readonly number[],
  second: readonly number[],
): MannWhitneyTest | null {
  if (first.length === 0 || second.length === 0) return null;
  const total = first.length + second.length;
  const ranks = doubledMidRanks([...first, ...second]);
  let rankSum = 0;
  for (const rank of ranks.slice(0, first.length)) rankSum += rank / 2;
  const u = rankSum - (first.length * (first.length + 1)) / 2;
  const larger = Math.max(u, first.length * second.length - u);

  const tied = new Set(ranks).size < total;
  if (!tied && Math.max(first.length, second.length) <= EXACT_UP_TO_VALUES) {
    const probabilities = uDistribution(first.length, second.length);
    let tail = 0;
    for (let i = larger; i < probabilities.length; i++) tail += probabilities[i] as number;
    return { p: Math.min(1, 2 * tail), u, method: 'exact' };
  }
  // Around their mean the ranks have this mean square, whether tied or not.
  let squares = 0;
  for (const rank of ranks) squares += (rank / 2 - (total + 1) / 2) ** 2;
  const variance = (first.length * second.length * squares) / (total * (total - 1));
  const distance = larger - (first.length * second.length) / 2 - 0.5;
  const p = variance === 0 ? 1 : Math.min(1, 2 * normalTail(distance / Math.sqrt(variance)));
  return { p, u, method: 'normal' };
}

/**
 * Probability of each U, by adding the values in order of size: one of the first sample beats all of the second
 * before.
 */
function uDistribution(firstCount: number, secondCount: number): Float64Array {
  const most = firstCount * secondCount;
  // One row of counts for each number of values of the second sample so far.
  let rows: Float64Array[] = Array.from({ length: secondCount + 1 }, () => {
    const none = new Float64Array(most + 1);
    none[0] = 1;
    return none;
  });
  for (let i = 1; i <= firstCount; i++) {
    const next: Float64Array[] = [];
    for (let j = 0; j <= secondCount; j++) {
      const row = new Float64Array(most + 1);
      const largestFromFirst = rows[j] as Float64Array;
      const largestFromSecond = next[j - 1];
      for (let u = 0; u <= i * j; u++) {
        row[u] = (largestFromSecond?.[u] ?? 0) + (u >= j ? (largestFromFirst[u - j] as number) : 0);
      }
      next.push(row);
    }
    rows = next;
  }
  const counts = rows[secondCount] as Float64Array;
  const sum = counts.reduce((so, count) => so + count, 0);
  return counts.map((count) => count / sum);
}
