import type { Experiment, Metric } from '../../ground/experiment.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { countText, countWithNoun, decimalText } from '../../kit/text/number.ts';
import { possibleText, ratioIntervalWords, ratioWords } from '../../kit/text/ratio-words.ts';
import { sentences } from '../../kit/text/sentences.ts';
import { MOST_MORE_PAIRS, pText } from '../../kit/text/verdict.ts';
import { FEWEST_FOR_INTERVAL } from '../../statistics/interval.ts';
import type { Comparison } from '../summary/comparison.ts';
import { SIGNIFICANCE } from '../summary/verdict.ts';

/** Why the comparison of a single site has its verdict, with the numbers. */
export function reasonText(
  {
    verdict,
    nPairs,
    ratio,
    p,
    pHolm,
    detectablePercent,
    morePairsNeeded,
  }: Pick<
    Comparison,
    'verdict' | 'nPairs' | 'ratio' | 'p' | 'pHolm' | 'detectablePercent' | 'morePairsNeeded'
  >,
  metric: Metric,
  { marginPercent, experiment }: { marginPercent: number; experiment: Pick<Experiment, 'attempt'> },
): string {
  const [, attempts] = experiment.attempt;
  if (nPairs === 0) return `No pair of ${attempts} has a ${metric.phrase}.`;
  if (p === null) {
    return `${countWithNoun(nPairs, 'pair')} of ${attempts}: a test needs ${FEWEST_FOR_INTERVAL}.`;
  }
  // In a run of one site the primary answer decides, not this test.
  const tested = pHolm === null ? '' : `, p ${pText(pHolm)} after correction`;
  const basis = `${countWithNoun(nPairs, 'pair')}${tested}`;
  if (ratio === null) {
    const often = `Fails ${verdict === 'slower' ? 'more' : 'less'} often: too`;
    return `${verdict === 'undecided' ? 'Too' : often} many ${attempts} failed for a ratio; ${basis}.`;
  }
  const between = ratioIntervalWords(ratio, metric);
  switch (verdict) {
    case 'faster':
    case 'slower':
      return `${capitalize(ratioWords(ratio.estimate, metric))} (${between}); ${basis}.`;
    case 'same':
      return `The whole interval (${between}) lies within the margin of ${decimalText(marginPercent)} %; ${countWithNoun(nPairs, 'pair')}.`;
    case 'undecided':
      return sentences(
        between === null
          ? `Failures leave the ratio no limit; ${basis}.`
          : `${capitalize(possibleText(ratio, between))}; ${basis}.`,
        pHolm !== null &&
          p < SIGNIFICANCE &&
          `It would be a difference by itself (p ${pText(p)}), but not after correction.`,
        detectablePercent !== null &&
          `Pairs of this number and spread detect differences of about ${decimalText(detectablePercent, 1)} % or more.`,
        moreText(morePairsNeeded),
      ).join(' ');
  }
}

function moreText(morePairs: number | null): string | false {
  const found = 'If the true difference is what was measured, ';
  if (morePairs === null) {
    return `${found}more than ${countText(MOST_MORE_PAIRS)} further pairs would be needed to show it.`;
  }
  return morePairs > 0 && `${found}about ${countWithNoun(morePairs, 'more pair')} would show it.`;
}
