import { type Metric, worsening } from '../../ground/experiment.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { MOST_MORE_PAIRS, type UndecidedTests, type Verdict } from '../../kit/text/verdict.ts';
import { detectableDifference, expectedHalfWidth } from '../../statistics/detectable-difference.ts';
import { FEWEST_FOR_INTERVAL } from '../../statistics/interval.ts';
import type { Comparison, MetricComparison } from './comparison.ts';

/** The share of failures from which on the Hodges-Lehmann estimate would be infinite, had they one side: 1 - the root of 1/2. */
const MOST_FAILED = 1 - Math.SQRT1_2;

/** An adjusted p below this is called a difference. */
export const SIGNIFICANCE = 0.05;

/** How many pairs a test takes at least: with fewer not even the least p of Wilcoxon's, of 2 in 2^n orders of signs, passes the correction for so many. */
export function pairsFor(nTests: number): number {
  return Math.ceil(1 + Math.log2(Math.max(1, nTests) / SIGNIFICANCE));
}

/**
 * The tests of single sites that could not have come out as a difference, whatever their pairs: they have too few for a correction for
 * themselves alone, all others having been told before them; null: none.
 */
export function undecidableTests(
  comparisons: readonly Pick<Comparison, 'nPairs' | 'pHolm'>[],
): UndecidedTests | null {
  const tested = comparisons.flatMap(({ nPairs, pHolm }) => (pHolm === null ? [] : nPairs));
  let few = tested;
  while (few.length > 0) {
    const pairsNeeded = pairsFor(few.length);
    const fewer = few.filter((nPairs) => nPairs < pairsNeeded);
    if (fewer.length === few.length) {
      const pairsForAll = pairsFor(tested.length);
      return {
        nOf: few.length,
        nTests: tested.length,
        pairsNeeded,
        pairsForAll,
        mostPairs: Math.max(...few),
      };
    }
    few = fewer;
  }
  return null;
}

export interface SiteEvidence {
  nPairs: number;
  ratio: Estimate | null;
  /** Of the log ratios, with n - 1; null below 2 pairs. */
  logStandardDeviation: number | null;
  /** Pairs in which both failed. */
  nBothFailed: number;
  /** Whether the stack is the worse one, also where failures leave no ratio. */
  isSlower: boolean;
  p: number | null;
  pHolm: number | null;
}

type SiteDecision = Pick<Comparison, 'verdict' | 'detectablePercent' | 'morePairsNeeded'>;

interface VerdictSettings {
  marginPercent: number;
  significance: number;
  metric: Pick<Metric, 'better'>;
}

/**
 * The rule of results/README.md: nothing below 6 pairs; same when the whole interval of the ratio is inside of the
 * margin, 1 / (1 + m) to 1 + m, and most loads ended; else faster (better) or slower (worse) when p after Holm is below the level; else cannot
 * tell.
 */
export function decideSite(evidence: SiteEvidence, settings: VerdictSettings): SiteDecision {
  const { nPairs, ratio, logStandardDeviation, p, pHolm } = evidence;
  const verdict = verdictOfSite(evidence, settings);
  if (p === null || pHolm === null || ratio === null) {
    const isFew = nPairs > 0 && nPairs < FEWEST_FOR_INTERVAL;
    return {
      verdict,
      detectablePercent: null,
      morePairsNeeded: isFew ? FEWEST_FOR_INTERVAL - nPairs : null,
    };
  }
  const spread = logStandardDeviation ?? 0;
  const detectable = detectableDifference(nPairs, spread);
  const needed = morePairsNeeded({
    nPairs,
    logRatio: Math.log(ratio.estimate),
    logStandardDeviation: spread,
    logMargin: Math.log1p(settings.marginPercent / 100),
  });
  return {
    verdict,
    detectablePercent: detectable === null ? null : 100 * Math.expm1(detectable),
    morePairsNeeded: verdict === 'cannot tell' ? needed : null,
  };
}

export function verdictOfSite(
  { ratio, pHolm, nPairs, nBothFailed, isSlower }: Omit<SiteEvidence, 'logStandardDeviation' | 'p'>,
  settings: VerdictSettings,
): Verdict {
  if (nPairs < FEWEST_FOR_INTERVAL || pHolm === null) return 'cannot tell';
  if (ratio !== null) return verdictOf({ nPairs, nBothFailed, ratio, pHolm }, settings);
  // Where failures leave no ratio, the signed ranks, in which they stand beyond all others, still tell.
  if (pHolm >= settings.significance) return 'cannot tell';
  return isSlower ? 'slower' : 'faster';
}

/** The same rule for a metric that the run was not made for, by its own p; null: neither direction is better. */
export function verdictOfOther(
  { nPairs, ratio, difference, pAdjusted }: Omit<MetricComparison, 'verdict'>,
  { marginPercent, metric, significance }: VerdictSettings,
): Verdict | null {
  if (metric.better === null) return null;
  if (difference === null || pAdjusted === null) return 'cannot tell';
  if (ratio !== null) {
    const evidence = { nPairs, nBothFailed: 0, ratio, pHolm: pAdjusted };
    return verdictOf(evidence, { marginPercent, metric, significance });
  }
  return pAdjusted < significance ? verdictOfSide(difference.estimate, metric) : 'cannot tell';
}

/** What a difference, or the logarithm of a ratio, says that is clear of 0. */
function verdictOfSide(difference: number, metric: Pick<Metric, 'better'>): 'faster' | 'slower' {
  return worsening(difference, metric) > 0 ? 'slower' : 'faster';
}

/** What hardly ever loads is not equally fast: ties of failures say nothing of times. */
function verdictWithinMargin({
  nPairs,
  nBothFailed,
}: Pick<SiteEvidence, 'nPairs' | 'nBothFailed'>): Verdict {
  return nBothFailed / nPairs < MOST_FAILED ? 'same' : 'cannot tell';
}

/** What an interval says: inside of the margin, wholly to one side of 1, or neither. */
export function verdictOfInterval(
  ratio: Estimate,
  evidence: Pick<SiteEvidence, 'nPairs' | 'nBothFailed'>,
  { marginPercent, metric }: Pick<VerdictSettings, 'marginPercent' | 'metric'>,
): Verdict {
  if (isWithinMargin(ratio, marginPercent)) return verdictWithinMargin(evidence);
  const isClear = (ratio.high ?? 2) < 1 || (ratio.low ?? 0) > 1;
  return isClear ? verdictOfSide(Math.log(ratio.estimate), metric) : 'cannot tell';
}

/** Inside of 1 / (1 + m) to 1 + m. */
function isWithinMargin({ low, high }: Estimate, marginPercent: number): boolean {
  const most = 1 + marginPercent / 100;
  return low !== null && high !== null && low >= 1 / most && high <= most;
}

function verdictOf(
  {
    nPairs,
    nBothFailed,
    ratio,
    pHolm,
  }: Pick<SiteEvidence, 'nPairs' | 'nBothFailed'> & { ratio: Estimate; pHolm: number },
  { marginPercent, significance, metric }: VerdictSettings,
): Verdict {
  if (isWithinMargin(ratio, marginPercent)) return verdictWithinMargin({ nPairs, nBothFailed });
  if (pHolm >= significance) return 'cannot tell';
  return verdictOfSide(Math.log(ratio.estimate), metric);
}

interface PairsSoFar {
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
}: PairsSoFar): number | null {
  const isDecided = (pairs: number) => {
    const detectable = detectableDifference(pairs, logStandardDeviation);
    const halfWidth = expectedHalfWidth(pairs, logStandardDeviation);
    if (detectable === null || halfWidth === null) return false;
    return Math.abs(logRatio) >= detectable || Math.abs(logRatio) + halfWidth < logMargin;
  };
  // What is enough stays enough with more pairs, so halving finds the fewest.
  if (isDecided(nPairs)) return 0;
  let tooFew = 0;
  let enough = MOST_MORE_PAIRS;
  if (!isDecided(nPairs + enough)) return null;
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isDecided(nPairs + middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
