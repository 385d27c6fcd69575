import type { Experiment, Metric } from '../../ground/experiment.ts';
import { capital } from './capital.ts';
import { intervalText, ratioText } from './estimate.ts';
import { counted, decimalText } from './number.ts';
import {
  besideRatio,
  equalWord,
  possibleText,
  ratioIntervalWords,
  ratioWords,
} from './ratio-words.ts';
import { COMES_OFF, type Told } from './verdict.ts';

interface Words {
  from: string;
  to: string;
  shared: string;
}

interface Numbers extends Told {
  /** Those that the sentence speaks of. */
  subjects: readonly { subject: string }[];
}

/** What was measured, what is as good as equal, and how many verdicts are corrected together. */
interface Measured {
  marginPercent: number;
  metric: Metric;
  experiment: Pick<Experiment, 'attempt' | 'subject'>;
  nTests: number;
}

/** The beginning of a sentence: `Resumed visit against first visit, with 30 ms round-trip time added`. */
function pairPhrase({ from, to, shared }: Words): string {
  return `${capital(to)} against ${from}, ${shared}`;
}

/** What becomes of one stack under another condition, for a reader without statistics. */
export function conditionChangeSentence(
  words: Words,
  label: string,
  numbers: Numbers & { nFailed: { from: number; to: number } },
  measured: Measured,
): string {
  const { nPairs, nFailed, ratio, verdict } = numbers;
  const { metric } = measured;
  const [better, worse] = metric.words;
  const several = measured.experiment.attempt[1];
  const failures = `in ${nFailed.to} of ${counted(nPairs, 'pair')} of ${several} against ${nFailed.from}`;
  const untold = `it cannot be told whether ${label} is ${better} or ${worse}${metric.inPhrase}`;
  const told = () => {
    if (ratio === null) {
      return verdict === 'cannot tell'
        ? `${untold}: it failed ${failures}, too many for a ratio.`
        : `${label} fails ${verdict === 'slower' ? 'more' : 'less'} often: ${failures}, too many for a ratio.`;
    }
    const failed =
      nFailed.from + nFailed.to > 0
        ? ` Failures count as ${worse} than all that ended: it failed ${failures}.`
        : '';
    const change = metric.divided
      ? `${label} gets ${ratioText(ratio.estimate)} times the ${metric.phrase}`
      : `${label} is ${ratioWords(ratio.estimate, metric)}${metric.inPhrase}`;
    const between = metric.divided
      ? `${intervalText(ratio, ratioText)} times`
      : ratioIntervalWords(ratio, metric);
    const same = `${label} is ${equalWord(metric)}${metric.inPhrase}`;
    return `${toldOf({ change, same, untold, between }, numbers, measured)}${failed}`;
  };
  return sentenceOf(words, label, numbers, measured, told);
}

/** How the change of one stack differs from that of another. */
export function interactionSentence(
  words: Words,
  { label, baselineLabel }: { label: string; baselineLabel: string },
  numbers: Numbers,
  measured: Measured,
): string {
  const { ratio, verdict } = numbers;
  const direction = { better: measured.metric.better, words: COMES_OFF };
  const untold = `it cannot be told whether ${label} or ${baselineLabel} comes off better`;
  const told = () => {
    if (ratio === null) {
      return verdict === 'cannot tell'
        ? `${untold}: too many failed for a ratio.`
        : `${label} comes off ${verdict === 'slower' ? 'worse' : 'better'} than ${baselineLabel}: too many failed for a ratio.`;
    }
    const change = `${label} comes off ${ratioWords(ratio.estimate, direction)} than ${baselineLabel}`;
    const between = ratioIntervalWords(ratio, direction);
    const same = `${label} and ${baselineLabel} come off alike`;
    const more = `, compared with ${baselineLabel}`;
    return toldOf({ change, same, untold, between, more }, numbers, measured);
  };
  return sentenceOf(words, `${label} and ${baselineLabel}`, numbers, measured, told);
}

function sentenceOf(
  words: Words,
  who: string,
  { nPairs }: Numbers,
  { experiment }: Measured,
  told: () => string,
): string {
  const [, attempts] = experiment.attempt;
  return nPairs === 0
    ? `${pairPhrase(words)}: nothing can be said of ${who}, there is no pair of ${attempts} to compare.`
    : `${pairPhrase(words)}: ${told()}`;
}

function toldOf(
  said: { change: string; same: string; untold: string; between: string | null; more?: string },
  { subjects, nPairs, ratio, difference, verdict, isTooFew }: Numbers,
  { marginPercent, metric, experiment, nTests }: Measured,
): string {
  const { between } = said;
  const [page, pages] = experiment.subject;
  const [, attempts] = experiment.attempt;
  if (ratio === null || between === null) {
    return isTooFew
      ? `${said.untold} from ${counted(nPairs, 'pair')} of ${attempts}: every ${page} needs 6.`
      : `${said.untold}: too many failed for an interval of the ratio.`;
  }
  const average = difference === null ? '' : besideRatio(ratio, difference, metric);
  const onThese =
    subjects.length === 1
      ? ` on ${subjects[0]?.subject}`
      : ` on these ${counted(subjects.length, page, pages)}`;
  switch (verdict) {
    case 'faster':
    case 'slower':
      return `${said.change}${onThese} (${between})${average}${said.more ?? ''}.`;
    case 'same':
      return `${said.same}${onThese} within the margin of ${decimalText(marginPercent)} % (${between}).`;
    case 'cannot tell': {
      const isClearAlone = (ratio.high ?? 2) < 1 || (ratio.low ?? 0) > 1;
      const alone = isClearAlone
        ? ` Alone it would count as a difference, among ${counted(nTests, 'comparison')} of conditions it does not.`
        : '';
      return `${said.untold}${onThese}: ${possibleText(ratio, between)}.${alone}`;
    }
  }
}
