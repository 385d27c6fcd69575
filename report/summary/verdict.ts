import { type Metric, worsening } from '../../ground/experiment.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { MOST_MORE_PAIRS, type UndecidedTests, type Verdict } from '../../kit/text/verdict.ts';
import { detectableDifference, expectedHalfWidth } from '../../statistics/detectable-difference.ts';
import { FEWEST_FOR_INTERVAL } from '../../statistics/interval.ts';
import type { Comparison, MetricComparison } from './comparison.ts';

/** From this share of failures on, all on one side, the Hodges-Lehmann estimate would be infinite: 1 - the root of 1/2. */
const MOST_FAILED = 1 - Math.SQRT1_2;

/** A smaller adjusted p is a difference. */
export const SIGNIFICANCE = 0.05;

/** Fewest pairs of a test: with fewer even the least p of Wilcoxon's test, 2 in 2^n orders of signs, fails the correction for this number of tests. */
export function pairsFor(nTests: number): number {
  return Math.ceil(1 + Math.log2(Math.max(1, nTests) / SIGNIFICANCE));
}

/**
 * Tests of single sites that could not find a difference with any values: they have too few pairs even for a correction
 * among themselves, after all other tests are decided; null: no such test.
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
  /** Whether the stack is the worse one, even if failures leave no ratio. */
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
 * The rule of results/README.md: undecided below 6 pairs; same if the whole interval of the ratio is inside of the margin,
 * 1 / (1 + m) to 1 + m, and most loads ended; else faster (better) or slower (worse) if p after Holm is below the level;
 * else undecided.
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
    morePairsNeeded: verdict === 'undecided' ? needed : null,
  };
}

export function verdictOfSite(
  { ratio, pHolm, nPairs, nBothFailed, isSlower }: Omit<SiteEvidence, 'logStandardDeviation' | 'p'>,
  settings: VerdictSettings,
): Verdict {
  if (nPairs < FEWEST_FOR_INTERVAL || pHolm === null) return 'undecided';
  if (ratio !== null) return verdictOf({ nPairs, nBothFailed, ratio, pHolm }, settings);
  // If failures leave no ratio, the signed ranks, in which they lie beyond all loads that ended, still decide.
  if (pHolm >= settings.significance) return 'undecided';
  return isSlower ? 'slower' : 'faster';
}

/** The same rule for an exploratory metric, by its own p; null: neither direction is better. */
export function verdictOfOther(
  { nPairs, ratio, difference, pAdjusted }: Omit<MetricComparison, 'verdict'>,
  { marginPercent, metric, significance }: VerdictSettings,
): Verdict | null {
  if (metric.better === null) return null;
  if (difference === null || pAdjusted === null) return 'undecided';
  if (ratio !== null) {
    const evidence = { nPairs, nBothFailed: 0, ratio, pHolm: pAdjusted };
    return verdictOf(evidence, { marginPercent, metric, significance });
  }
  return pAdjusted < significance ? verdictOfSide(difference.estimate, metric) : 'undecided';
}

/** Verdict of a difference, or of the logarithm of a ratio, that is clear of 0. */
function verdictOfSide(difference: number, metric: Pick<Metric, 'better'>): 'faster' | 'slower' {
  return worsening(difference, metric) > 0 ? 'slower' : 'faster';
}

/** Ties of failures say nothing about times, so a page that hardly ever loads is not the same. */
function verdictWithinMargin({
  nPairs,
  nBothFailed,
}: Pick<SiteEvidence, 'nPairs' | 'nBothFailed'>): Verdict {
  return nBothFailed / nPairs < MOST_FAILED ? 'same' : 'undecided';
}

/** Verdict of an interval: inside of the margin, wholly to one side of 1, or neither. */
export function verdictOfInterval(
  ratio: Estimate,
  evidence: Pick<SiteEvidence, 'nPairs' | 'nBothFailed'>,
  { marginPercent, metric }: Pick<VerdictSettings, 'marginPercent' | 'metric'>,
): Verdict {
  if (isWithinMargin(ratio, marginPercent)) return verdictWithinMargin(evidence);
  const isClear = (ratio.high ?? 2) < 1 || (ratio.low ?? 0) > 1;
  return isClear ? verdictOfSide(Math.log(ratio.estimate), metric) : 'undecided';
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
  if (pHolm >= significance) return 'undecided';
  return verdictOfSide(Math.log(ratio.estimate), metric);
}

interface PairsSoFar {
  nPairs: number;
  logRatio: number;
  logStandardDeviation: number;
  logMargin: number;
}

/**
 * How many more pairs would decide, if the estimate is the true difference and the spread stays: the fewer of those that
 * detect the difference and those whose expected interval lies inside of the margin. 0: enough already, but not after
 * the correction. Null: more than 1,000.
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
  // More pairs than enough are enough, so bisection finds the fewest.
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
