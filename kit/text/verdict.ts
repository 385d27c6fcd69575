import { type Experiment, type Metric, worsening } from '../../ground/experiment.ts';
import * as s from '../../ground/records/schema.ts';
import { capital } from './capital.ts';
import type { Estimate } from './estimate.ts';
import { counted, countText, decimalText } from './number.ts';
import { type Direction, possibleText, ratioIntervalWords, ratioWords } from './ratio-words.ts';
import { sentences } from './sentences.ts';

export const verdictSchema = s.oneOf(
  ['faster', 'slower', 'same', 'cannot tell'],
  'What can be said of a stack against its baseline: faster or slower, which is better or worse in the metric of verdicts, be it less of a time or more of a rate (the adjusted test says so), same (the whole interval of the ratio lies within the margin chosen beforehand, whatever the test says), cannot tell.',
);

export type Verdict = s.Static<typeof verdictSchema>;

export interface Told {
  nPairs: number;
  ratio: Estimate | null;
  difference: Estimate | null;
  verdict: Verdict;
  /** Whether a site has too few pairs for an interval. */
  isTooFew: boolean;
}

/** The verdicts in the order in which they are counted. */
export const VERDICTS: readonly Verdict[] = ['faster', 'slower', 'same', 'cannot tell'];

/** A verdict as readers see it: better and worse in the metric's own words. */
export function verdictWord(verdict: Verdict, { words: [better, worse] }: Pick<Metric, 'words'>) {
  if (verdict === 'faster') return better;
  return verdict === 'slower' ? worse : verdict;
}

/** Better and worse where the changes of two stacks are compared. */
export const COMES_OFF = ['better', 'worse'] as const;

/** To which side of its baseline on an axis a verdict has a stack; null: to none. */
export function sideOf(verdict: Verdict, metric: Pick<Metric, 'better'>): 'below' | 'above' | null {
  if (verdict !== 'faster' && verdict !== 'slower') return null;
  return worsening(1, metric) > 0 === (verdict === 'slower') ? 'above' : 'below';
}

/** More than so many further pairs are no advice: nobody would load a page so often. */
export const MOST_MORE_PAIRS = 1000;

export interface Reason {
  nPairs: number;
  ratio: Estimate;
  p: number;
  pHolm: number;
  /** Whether it would count as a difference if it were the run's only comparison. */
  isDifferentAlone: boolean;
  detectablePercent: number | null;
  /** Null: more than MOST_MORE_PAIRS. */
  morePairsNeeded: number | null;
}

export function verdictReason(
  verdict: Verdict,
  { nPairs, ratio, p, pHolm, isDifferentAlone, detectablePercent, morePairsNeeded }: Reason,
  { marginPercent, metric }: { marginPercent: number; metric: Direction },
): string {
  const between = ratioIntervalWords(ratio, metric);
  const basis = basisText(nPairs, pHolm);
  switch (verdict) {
    case 'faster':
    case 'slower':
      return `${capital(ratioWords(ratio.estimate, metric))} (95 % interval: ${between}); ${basis}.`;
    case 'same':
      return `The whole 95 % interval (${between}) lies within the margin of ${decimalText(marginPercent)} %; ${counted(nPairs, 'pair')}.`;
    case 'cannot tell':
      return sentences(
        between === null
          ? `Failures leave the ratio no limit (95 % interval); ${basis}.`
          : `${capital(possibleText(ratio, between))} (95 % interval); ${basis}.`,
        isDifferentAlone &&
          `Alone it would count as a difference (p ${pText(p)}), among this run’s comparisons it does not.`,
        detectablePercent !== null &&
          `So many pairs with such a spread find differences from about ${decimalText(detectablePercent, 1)} % on.`,
        moreText(morePairsNeeded),
      ).join(' ');
  }
}

/** The same where too many attempts failed for a ratio. */
export function failuresReason(
  verdict: Verdict,
  { nPairs, pHolm }: Pick<Reason, 'nPairs' | 'pHolm'>,
  attempts: string,
): string {
  const basis = basisText(nPairs, pHolm);
  return verdict === 'cannot tell'
    ? `Too many ${attempts} failed for a ratio; ${basis}.`
    : `Fails ${verdict === 'slower' ? 'more' : 'less'} often: too many ${attempts} failed for a ratio; ${basis}.`;
}

function basisText(nPairs: number, pHolm: number): string {
  return `${counted(nPairs, 'pair')}, p ${pText(pHolm)} after correction`;
}

export interface Untellable {
  /** How many of all tests. */
  nOf: number;
  nTests: number;
  mostPairs: number;
  /** By each of them, the others being told. */
  pairsNeeded: number;
  /** By each of all tests. */
  pairsForAll: number;
}

/**
 * That single sites cannot be told, and what could tell them.
 * @param endsEarly whether the run could have gone on
 */
export function untellableText(
  { nOf, nTests, mostPairs, pairsNeeded, pairsForAll }: Untellable,
  { site: [site, sites], attempt: [, several] }: Pick<Experiment, 'site' | 'attempt'>,
  endsEarly: boolean,
): string {
  const pairs = `at most ${counted(mostPairs, 'pair')} of ${several}`;
  const told =
    nOf === nTests
      ? `No single ${site} can be told to be better or worse: ${pairs} for each ${site} and stack, and corrected for ${counted(nTests, 'test')} none can tell below ${pairsNeeded}.`
      : `${nOf} of ${counted(nTests, 'comparison')} of single ${sites} cannot be told to be better or worse: ${pairs} each, and corrected for these alone none can tell below ${pairsNeeded}.`;
  // The usual least, which tells of more than the clearest differences.
  const repetitions = Math.max(12, pairsForAll);
  return endsEarly
    ? `${told} --repetitions ${repetitions}, or a larger --budget, measures each one often enough.`
    : told;
}

function moreText(morePairs: number | null): string | false {
  if (morePairs === null) {
    return `With this spread it would take more than ${countText(MOST_MORE_PAIRS)} further pairs to tell, if the estimate is the truth.`;
  }
  return (
    morePairs > 0 &&
    `With this spread about ${counted(morePairs, 'more pair')} would tell, if the estimate is the truth.`
  );
}

/** A p-value for people: `= 0.034`, `below 0.001`. */
export function pText(p: number): string {
  return p < 0.001 ? 'below 0.001' : `= ${decimalText(p, p < 0.1 ? 3 : 2)}`;
}
