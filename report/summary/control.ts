import type { Estimate } from '../../kit/text/estimate.ts';
import { attainableLevel } from '../../statistics/hodges-lehmann-interval.ts';
import { TAIL_PROBABILITY } from '../../statistics/interval.ts';
import { mean } from '../../statistics/mean.ts';
import { findRoot } from '../../statistics/root.ts';
import type { Comparison, ControlResult, PrimaryAnswer } from './comparison.ts';
import { SIGNIFICANCE } from './verdict.ts';

/** Counts how often a stack was called different from itself; each case is an error. */
export function controlResult(
  { arm, control }: Pick<ControlResult, 'arm' | 'control'>,
  comparisons: readonly Comparison[],
  primary: readonly PrimaryAnswer[],
): ControlResult {
  const tested = comparisons.filter(({ p }) => p !== null);
  const nCalledDifferent = tested.filter(({ p }) => (p as number) < SIGNIFICANCE).length;
  const nWrongVerdicts = comparisons.filter(
    ({ verdict }) => verdict === 'faster' || verdict === 'slower',
  ).length;
  return {
    arm,
    control,
    nComparisons: tested.length,
    nCalledDifferent,
    falsePositiveRate: exactShare(nCalledDifferent, tested.length),
    expectedRate: mean(tested.map(({ nPairs }) => attainableLevel(nPairs))),
    nWrongVerdicts,
    primary: [...primary],
    comparisons: [...comparisons],
  };
}

/**
 * A share with its exact 95 % interval after Clopper and Pearson: shares for which neither this number of hits or more nor
 * this number or fewer is rarer than 2.5 %. Null without trials. Source: Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404.
 * @example exactShare(0, 8) // { estimate: 0, low: 0, high: 0.369 }
 */
export function exactShare(hits: number, trials: number): Estimate | null {
  if (trials === 0) return null;
  return {
    estimate: hits / trials,
    low:
      hits === 0
        ? 0
        : findRoot((share) => 1 - atMost(hits - 1, trials, share) - TAIL_PROBABILITY, 0, 1),
    high:
      hits === trials
        ? 1
        : findRoot((share) => TAIL_PROBABILITY - atMost(hits, trials, share), 0, 1),
  };
}

/** P(at most `hits`), each trial a hit with the chance `share`; by logarithms, to avoid underflow with many trials. */
function atMost(hits: number, trials: number, share: number): number {
  if (share <= 0) return 1;
  if (share >= 1) return hits >= trials ? 1 : 0;
  let logTerm = trials * Math.log1p(-share);
  let sum = Math.exp(logTerm);
  for (let k = 1; k <= hits; k++) {
    logTerm += Math.log(((trials - k + 1) / k) * (share / (1 - share)));
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}
