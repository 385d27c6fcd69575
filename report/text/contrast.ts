import type { Experiment, Metric } from '../../ground/experiment.ts';
import { intervalText, ratioText } from '../../kit/text/estimate.ts';
import { countWithNoun, decimalText } from '../../kit/text/number.ts';
import {
  averageAfterRatio,
  clearDifferenceSentence,
  equalWord,
  possibleText,
  ratioIntervalWords,
  ratioWords,
} from '../../kit/text/ratio-words.ts';
import { BETTER_OR_WORSE } from '../../kit/text/verdict.ts';
import { FEWEST_FOR_INTERVAL } from '../../statistics/interval.ts';
import type { Contrast } from '../summary/contrast.ts';

/** Stacks and sites of a contrast. */
interface ContrastSubject {
  /** The stack. */
  name: string;
  /** The stack that it is compared with; null: the same stack under another condition. */
  other: string | null;
  /** Whether changes of the two stacks are compared, between conditions or runs. */
  isOfChanges?: boolean;
  /** The only site; null: several. */
  site: string | null;
}

export interface ContrastWords {
  marginPercent: number;
  metric: Metric;
  experiment: Pick<Experiment, 'attempt' | 'subject'>;
}

/** A contrast as a sentence, without its condition: `A is 8.2 % faster than B on these 4 pages (5 to 11 % faster): 61 ms saved on average (39 to 83).` */
export function contrastSentence(
  { nSites, nPairs, nFailed, ratio, difference, verdict }: Omit<Contrast, 'level' | 'notes'>,
  { name, other, isOfChanges = false, site }: ContrastSubject,
  { marginPercent, metric, experiment }: ContrastWords,
): string {
  const [page, pages] = experiment.subject;
  const both = other === null ? name : `${name} and ${other}`;
  const pairs = `${countWithNoun(nPairs, 'pair')} of ${experiment.attempt[1]}`;
  if (nPairs === 0) {
    return `${both} cannot be compared: there is no pair of ${experiment.attempt[1]}${metric.inPhrase && ` with a ${metric.phrase}`}.`;
  }
  const than = other === null ? '' : ` than ${other}`;
  const where = site === null ? ` on these ${countWithNoun(nSites, page, pages)}` : ` on ${site}`;
  const about = `${metric.inPhrase}${where}`;
  const undecided = `No clear ${other === null ? 'change of' : 'difference between'} ${both}${about}`;
  const failures = `failures: ${nFailed.arm}${other === null ? ` against ${nFailed.baseline}` : ` of ${name}, ${nFailed.baseline} of ${other}`} in ${pairs}`;
  const hasFailed = nFailed.arm + nFailed.baseline > 0;
  const isDecided = verdict === 'faster' || verdict === 'slower';
  if (ratio === null) {
    const often = isOfChanges
      ? `comes off ${verdict === 'slower' ? 'worse' : 'better'}`
      : `fails ${verdict === 'slower' ? 'more' : 'less'} often`;
    return `${isDecided ? `${name} ${often}${than}${about}` : undecided}: too many failed for a ratio (${failures}).`;
  }
  const direction = isOfChanges ? { better: metric.better, words: BETTER_OR_WORSE } : metric;
  const between = ratioIntervalWords(ratio, direction);
  if (between === null) {
    return hasFailed
      ? `${undecided}: too many failed, or too few pairs were made, for an interval (${failures}).`
      : `${undecided}: ${pairs}, and every ${page} needs ${FEWEST_FOR_INTERVAL}.`;
  }
  const failed = hasFailed
    ? ` Failures count as ${metric.words[1]} than all that ended (${failures}).`
    : '';
  switch (verdict) {
    case 'faster':
    case 'slower': {
      const what =
        metric.divided && !isOfChanges
          ? `gets ${ratioText(ratio.estimate)} times the ${metric.phrase}${other === null ? '' : ` of ${other}`}${where} (${intervalText(ratio, ratioText)} times)`
          : `${isOfChanges ? 'comes off' : 'is'} ${ratioWords(ratio.estimate, direction)}${than}${about} (${between})`;
      return `${name} ${what}${difference === null ? '' : averageAfterRatio(ratio, difference, metric)}.${failed}`;
    }
    case 'same':
      return `${both} ${isOfChanges ? 'come off alike' : `${other === null ? 'is' : 'are'} ${equalWord(metric)}`}${about} within the margin of ${decimalText(marginPercent)} % (${between}).${failed}`;
    case 'undecided':
      return `${undecided}: ${name} may be ${possibleText(ratio, between)}.${difference === null ? '' : clearDifferenceSentence(ratio, difference, metric, nSites > 1 ? page : null)}${failed}`;
  }
}
