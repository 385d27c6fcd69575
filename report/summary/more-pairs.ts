import { detectableDifference, expectedHalfWidth } from '../../statistics/detectable-difference.ts';

/** More than so many further pairs are no advice: nobody would load a page so often. */
export const MOST_MORE_PAIRS = 1000;

/** Paired log ratios so far, and the margin as a logarithm. */
export interface SoFar {
  nPairs: number;
  logRatio: number;
  logStandardDeviation: number;
  logMargin: number;
}

/**
 * How many more pairs would tell, if the estimate is the truth and the spread stays: the fewer of those with which the
 * difference is detectable and those with which its interval is expected to lie inside of the margin. 0: so many are there
 * already, and the correction for many comparisons stands in the way. Null: more than 1,000.
 */
export function morePairsNeeded({
  nPairs,
  logRatio,
  logStandardDeviation,
  logMargin,
}: SoFar): number | null {
  const tells = (pairs: number) => {
    const detectable = detectableDifference(pairs, logStandardDeviation);
    const halfWidth = expectedHalfWidth(pairs, logStandardDeviation);
    if (detectable === null || halfWidth === null) return false;
    return Math.abs(logRatio) >= detectable || Math.abs(logRatio) + halfWidth < logMargin;
  };
  // What is enough stays enough with more pairs, so halving finds the fewest.
  if (tells(nPairs)) return 0;
  let tooFew = 0;
  let enough = MOST_MORE_PAIRS;
  if (!tells(nPairs + enough)) return null;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (tells(nPairs + middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
