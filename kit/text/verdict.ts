import { type Experiment, type Metric, worsening } from '../../ground/experiment.ts';
import * as s from '../../ground/records/schema.ts';
import { countWithNoun, decimalText } from './number.ts';

export const verdictSchema = s.oneOf(
  ['faster', 'slower', 'same', 'cannot tell'],
  'What can be said of a stack against its baseline: faster or slower, which is better or worse in the metric of verdicts, be it less of a time or more of a rate (the adjusted test says so), same (the whole interval of the ratio lies within the margin chosen beforehand, whatever the test says), cannot tell.',
);

export type Verdict = s.Static<typeof verdictSchema>;

/** The verdicts in the order in which they are counted. */
export const VERDICTS: readonly Verdict[] = ['faster', 'slower', 'same', 'cannot tell'];

/** A verdict as readers see it: better and worse in the metric's own words. */
export function verdictWord(verdict: Verdict, { words: [better, worse] }: Pick<Metric, 'words'>) {
  if (verdict === 'faster') return better;
  return verdict === 'slower' ? worse : verdict;
}

/** Better and worse where the changes of two stacks are compared. */
export const BETTER_OR_WORSE = ['better', 'worse'] as const;

/** To which side of its baseline on an axis a verdict has a stack; null: to none. */
export function sideOf(verdict: Verdict, metric: Pick<Metric, 'better'>): 'below' | 'above' | null {
  if (verdict !== 'faster' && verdict !== 'slower') return null;
  return worsening(1, metric) > 0 === (verdict === 'slower') ? 'above' : 'below';
}

/** More than so many further pairs are no advice: nobody would load a page so often. */
export const MOST_MORE_PAIRS = 1000;

export interface UndecidedTests {
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
 * That single sites are undecided for want of pairs, and how many would be enough.
 * @param endsEarly whether the run could have gone on
 */
export function undecidedTestsText(
  { nOf, nTests, mostPairs, pairsNeeded, pairsForAll }: UndecidedTests,
  { site: [site, sites], attempt: [, several] }: Pick<Experiment, 'site' | 'attempt'>,
  endsEarly: boolean,
): string {
  const pairs = `at most ${countWithNoun(mostPairs, 'pair')} of ${several}`;
  const undecided =
    nOf === nTests
      ? `No single ${site} is decided: each has ${pairs} with each stack, and ${countWithNoun(nTests, 'test')} need at least ${pairsNeeded} each.`
      : `${nOf} of the ${nTests} comparisons of single ${sites} are undecided: they have ${pairs} each, and need at least ${pairsNeeded}.`;
  // The usual least, which tells of more than the clearest differences.
  const repetitions = Math.max(12, pairsForAll);
  return endsEarly
    ? `${undecided} --repetitions ${repetitions}, or a larger --budget, measures each often enough.`
    : undecided;
}

/** A p-value for people: `= 0.034`, `below 0.001`. */
export function pText(p: number): string {
  return p < 0.001 ? 'below 0.001' : `= ${decimalText(p, p < 0.1 ? 3 : 2)}`;
}
