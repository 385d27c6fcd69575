import type { Experiment, Metric } from '../../ground/experiment.ts';
import { counted, decimalText } from './number.ts';
import {
  besideRatio,
  equalWord,
  possibleText,
  ratioIntervalWords,
  ratioWords,
} from './ratio-words.ts';
import type { Told } from './verdict.ts';

interface About {
  arm: { label: string };
  baseline: { label: string };
  metric: Metric;
  marginPercent: number;
  experiment: Pick<Experiment, 'attempt' | 'subject'>;
}

/** The answer by a further metric, in a sentence that follows the primary answer: stacks, pages and condition are those of that one. */
export function secondarySentence(
  { arm, baseline, metric, marginPercent, experiment }: About,
  { nPairs, ratio, difference, verdict, isTooFew }: Told,
): string {
  const [, attempts] = experiment.attempt;
  const [page] = experiment.subject;
  const about = `In ${metric.phrase}`;
  const undecided = `${about}, it is undecided which of the two is ${metric.words[0]}`;
  if (nPairs === 0) return `${about}, nothing can be said: no pair of ${attempts} has it.`;
  if (ratio === null) {
    return verdict === 'cannot tell'
      ? `${undecided}: too many ${attempts} failed for a ratio.`
      : `${about}, ${arm.label} is ${verdict}, as it fails ${verdict === 'slower' ? 'more' : 'less'} often.`;
  }
  const between = ratioIntervalWords(ratio, metric);
  if (between === null) {
    return isTooFew
      ? `${undecided} from ${counted(nPairs, 'pair')} of ${attempts}: every ${page} needs 6.`
      : `${undecided}: too many ${attempts} failed for an interval of the ratio.`;
  }
  switch (verdict) {
    case 'faster':
    case 'slower':
      return `${about}, ${arm.label} is ${ratioWords(ratio.estimate, metric)} than ${baseline.label} (${between})${difference === null ? '' : besideRatio(ratio, difference, metric)}.`;
    case 'same':
      return `${about}, the two are ${equalWord(metric)} within the margin of ${decimalText(marginPercent)} % (${between}).`;
    case 'cannot tell':
      return `${undecided}: ${possibleText(ratio, between)}.`;
  }
}
