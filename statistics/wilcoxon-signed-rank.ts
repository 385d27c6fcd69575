import { clampInfinite } from './infinite-values.ts';
import { doubledMidRanks } from './mid-ranks.ts';
import { normalTail } from './normal-distribution.ts';
import { subsetSumDistribution } from './subset-sum-distribution.ts';

export interface SignedRankTest {
  /** Two-sided. */
  p: number;
  /** The least p that these ranks could have had: that of differences which all have one sign. */
  leastP: number;
  /** Sum of the ranks of the differences above 0. */
  rankSumAbove: number;
  /** Sum of the ranks of the differences below 0. */
  rankSumBelow: number;
  /** `exact`, or `normal` approximation. */
  method: 'exact' | 'normal';
}

/** Maximum number of differences for an exact p-value, ties and zeros included; above, a normal approximation. */
export const EXACT_UP_TO_PAIRS = 100;

/**
 * Wilcoxon's signed-rank test of paired differences, two-sided, of the hypothesis that they are symmetric about 0.
 * Zeros are ranked and then excluded (Pratt; SciPy's `zero_method='pratt'`); ties share the mean of their ranks, and
 * the exact distribution is that of all sign changes of the very ranks at hand. Above 100 differences: normal
 * approximation, variance corrected for ties, continuity correction of one half (SciPy's `correction=True`). Null
 * without differences; p is 1 when all are 0. Infinite differences, those of failures, have the largest ranks. Below 6
 * differences p cannot fall below 0.05.
 * Source: Wilcoxon 1945, doi:10.2307/3001968; Pratt 1959, doi:10.1080/01621459.1959.10501526.
 * @example wilcoxonSignedRank([1, 2, 3, 4, 5, 6])?.p // 2 of the 64 sign patterns = 0.03125
 */
export function wilcoxonSignedRank(differences: readonly number[]): SignedRankTest | null {
  if (differences.length === 0) return null;
  const ranks = doubledMidRanks(clampInfinite(differences).map(Math.abs));
  const weights: number[] = [];
  let above = 0;
  let below = 0;
  let squares = 0;
  for (const [index, difference] of differences.entries()) {
    const rank = ranks[index] as number;
    if (difference === 0) continue;
    weights.push(rank);
    squares += rank ** 2;
    if (difference > 0) above += rank;
    else below += rank;
  }
  const exact = differences.length <= EXACT_UP_TO_PAIRS;
  const smaller = Math.min(above, below);
  const distance = Math.abs(above - below) / 2;
  // Ranks are doubled, so are the standard deviation, half the root of their squares, and the correction.
  const oneSidedAt = (smallerSum: number, apart: number) =>
    exact
      ? lowerTail(weights, smallerSum)
      : normalTail((apart - (apart > 0 ? 1 : 0)) / (Math.sqrt(squares) / 2));
  const twoSided = (oneSided: number) => (weights.length === 0 ? 1 : Math.min(1, 2 * oneSided));
  return {
    p: twoSided(oneSidedAt(smaller, distance)),
    leastP: twoSided(oneSidedAt(0, (above + below) / 2)),
    rankSumAbove: above / 2,
    rankSumBelow: below / 2,
    method: exact ? 'exact' : 'normal',
  };
}

/** Skips sums above `sum`; undoubled integer ranks halve the number of sums, which is most of the work. */
function lowerTail(weights: readonly number[], sum: number): number {
  const unit = weights.every((weight) => weight % 2 === 0) ? 2 : 1;
  const whole = weights.map((weight) => weight / unit);
  return subsetSumDistribution(whole, sum / unit).reduce((tail, each) => tail + each, 0);
}
