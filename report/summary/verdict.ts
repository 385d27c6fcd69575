import type { Metric } from '../../experiments/experiment.ts';
import { detectableDifference } from '../../statistics/detectable-difference.ts';
import { FEWEST_FOR_INTERVAL } from '../../statistics/interval.ts';
import { counted, countText, decimalText } from '../text/number.ts';
import type { Comparison, Estimate, Verdict } from './comparison.ts';
import { MOST_MORE_PAIRS, morePairsNeeded } from './more-pairs.ts';
import { possibleText, ratioIntervalText, ratioText } from '../text/ratio-words.ts';

/** The share of failures from which on the Hodges-Lehmann estimate would be infinite, had they one side: 1 - the root of 1/2. */
const MOST_FAILED = 1 - Math.SQRT1_2;

/** An adjusted p below this is called a difference. */
export const SIGNIFICANCE = 0.05;

/** What a verdict is made of. */
export interface Evidence {
  nPairs: number;
  ratio: Estimate | null;
  /** Of the log ratios, with n - 1; null below 2 pairs. */
  logStandardDeviation: number | null;
  /** Pairs in which both failed. */
  nBothFailed: number;
  /** Whether the ratio lies above 1, also where failures leave no number of it. */
  isSlower: boolean;
  p: number | null;
  pHolm: number | null;
}

export type Judgement = Pick<
  Comparison,
  'verdict' | 'reason' | 'detectablePercent' | 'morePairsNeeded'
>;

/** What evidence is held against. */
export interface JudgingSettings {
  marginPercent: number;
  metric: Pick<Metric, 'phrase'>;
  significance: number;
}

/**
 * The rule of results/README.md: nothing below 6 pairs; same when the whole interval of the ratio is inside of the
 * margin, 1 / (1 + m) to 1 + m, and most loads ended; else faster or slower when p after Holm is below the level; else cannot tell.
 */
export function judge(
  evidence: Evidence,
  { marginPercent, metric: { phrase }, significance }: JudgingSettings,
): Judgement {
  const { nPairs, ratio, logStandardDeviation, p, pHolm } = evidence;
  if (ratio === null && p !== null && pHolm !== null)
    return judgeFailures(evidence, pHolm, significance);
  if (nPairs < FEWEST_FOR_INTERVAL || ratio === null || p === null || pHolm === null) {
    return {
      verdict: 'cannot tell',
      reason:
        nPairs === 0
          ? `No pair of loads has a ${phrase}.`
          : `Only ${counted(nPairs, 'pair')} of loads: below ${FEWEST_FOR_INTERVAL} no test can tell.`,
      detectablePercent: null,
      morePairsNeeded: nPairs === 0 ? null : FEWEST_FOR_INTERVAL - nPairs,
    };
  }
  const verdict = verdictOf({ ...evidence, ratio, pHolm }, { marginPercent, significance });
  const spread = logStandardDeviation ?? 0;
  const detectable = detectableDifference(nPairs, spread);
  const detectablePercent = detectable === null ? null : 100 * Math.expm1(detectable);
  const needed = morePairsNeeded({
    nPairs,
    logRatio: Math.log(ratio.estimate),
    logStandardDeviation: spread,
    logMargin: Math.log1p(marginPercent / 100),
  });
  const basis = `${counted(nPairs, 'pair')}, p ${pText(pHolm)} after Holm’s correction`;
  const between = ratioIntervalText(ratio);
  const reasons: Record<Verdict, () => string> = {
    faster: () =>
      `${sentenceCase(ratioText(ratio.estimate))} (95 % interval: ${between}); ${basis}.`,
    slower: () =>
      `${sentenceCase(ratioText(ratio.estimate))} (95 % interval: ${between}); ${basis}.`,
    same: () =>
      `The whole 95 % interval (${between}) lies within the margin of ${decimalText(marginPercent)} %; ${counted(nPairs, 'pair')}.`,
    'cannot tell': () =>
      [
        between === null
          ? `Failures leave the ratio no limit (95 % interval); ${basis}.`
          : `${sentenceCase(possibleText(ratio, between))} (95 % interval); ${basis}.`,
        p < SIGNIFICANCE &&
          `Alone it would count as a difference (p ${pText(p)}), among this run’s comparisons it does not.`,
        detectablePercent !== null &&
          `So many pairs with such a spread find differences from about ${decimalText(detectablePercent, 1)} % on.`,
        needed === null
          ? `With this spread it would take more than ${countText(MOST_MORE_PAIRS)} further pairs to tell, if the estimate is the truth.`
          : needed > 0 &&
            `With this spread about ${counted(needed, 'more pair')} would tell, if the estimate is the truth.`,
      ]
        .filter((part) => part !== false)
        .join(' '),
  };
  return {
    verdict,
    reason: reasons[verdict](),
    detectablePercent,
    morePairsNeeded: verdict === 'cannot tell' ? needed : null,
  };
}

/** Where failures leave no ratio, the signed ranks, in which they stand beyond all times, still tell. */
function judgeFailures(
  { nPairs, isSlower }: Evidence,
  pHolm: number,
  significance: number,
): Judgement {
  const told = pHolm < significance;
  const basis = `${counted(nPairs, 'pair')}, p ${pText(pHolm)} after Holm’s correction`;
  return {
    verdict: told ? (isSlower ? 'slower' : 'faster') : 'cannot tell',
    reason: told
      ? `Fails ${isSlower ? 'more' : 'less'} often: too many loads failed for a ratio of times; ${basis}.`
      : `Too many loads failed for a ratio of times; ${basis}.`,
    detectablePercent: null,
    morePairsNeeded: null,
  };
}

/** What hardly ever loads is not equally fast: ties of failures say nothing of times. */
export function verdictWithinMargin({
  nPairs,
  nBothFailed,
}: Pick<Evidence, 'nPairs' | 'nBothFailed'>): Verdict {
  return nBothFailed / nPairs < MOST_FAILED ? 'same' : 'cannot tell';
}

/** Inside of 1 / (1 + m) to 1 + m. */
export function isWithinMargin({ low, high }: Estimate, marginPercent: number): boolean {
  const most = 1 + marginPercent / 100;
  return low !== null && high !== null && low >= 1 / most && high <= most;
}

function verdictOf(
  { nPairs, nBothFailed, ratio, pHolm }: Evidence & { ratio: Estimate; pHolm: number },
  { marginPercent, significance }: Omit<JudgingSettings, 'metric'>,
): Verdict {
  if (isWithinMargin(ratio, marginPercent)) return verdictWithinMargin({ nPairs, nBothFailed });
  if (pHolm >= significance) return 'cannot tell';
  return ratio.estimate < 1 ? 'faster' : 'slower';
}

/** A p-value for people: `= 0.034`, `below 0.001`. */
function pText(p: number): string {
  return p < 0.001 ? 'below 0.001' : `= ${decimalText(p, p < 0.1 ? 3 : 2)}`;
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
