import { type Experiment, type Metric, worsening } from '../../ground/experiment.ts';
import * as s from '../../ground/records/schema.ts';
import { countWithNoun, decimalText } from './number.ts';

export const verdictSchema = s.oneOf(
  ['faster', 'slower', 'same', 'undecided'],
  'Comparison of a stack with its baseline. faster, slower: better or worse in the primary metric by the adjusted test; same: the whole interval of the ratio lies within the margin chosen beforehand, independently of the test; the last value: undecided.',
);

export type Verdict = s.Static<typeof verdictSchema>;

/** Verdicts in the order of counts. */
export const VERDICTS: readonly Verdict[] = ['faster', 'slower', 'same', 'undecided'];

/** Text of a verdict, in the metric's own words. */
export function verdictWord(verdict: Verdict, { words: [better, worse] }: Pick<Metric, 'words'>) {
  if (verdict === 'faster') return better;
  return verdict === 'slower' ? worse : verdict;
}

/** Better and worse, for changes of two stacks. */
export const BETTER_OR_WORSE = ['better', 'worse'] as const;

/** Side of the baseline on an axis that a verdict implies; null: no side. */
export function sideOf(verdict: Verdict, metric: Pick<Metric, 'better'>): 'below' | 'above' | null {
  if (verdict !== 'faster' && verdict !== 'slower') return null;
  return worsening(1, metric) > 0 === (verdict === 'slower') ? 'above' : 'below';
}

/** Maximum of further pairs to recommend; more are impractical. */
export const MOST_MORE_PAIRS = 1000;

export interface UndecidedTests {
  /** Number of undecided tests. */
  nOf: number;
  nTests: number;
  mostPairs: number;
  /** Pairs needed by each of them, if the rest are decided. */
  pairsNeeded: number;
  /** Pairs needed by each of all tests. */
  pairsForAll: number;
}

/**
 * Explains that single sites are undecided for lack of pairs, with the number needed.
 * @param endsEarly whether the run could have continued
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
  // The usual minimum, which detects more than the clearest differences.
  const repetitions = Math.max(12, pairsForAll);
  return endsEarly
    ? `${undecided} --repetitions ${repetitions}, or a larger --budget, measures each often enough.`
    : undecided;
}

/** A p-value for people: `= 0.034`, `below 0.001`. */
export function pText(p: number): string {
  return p < 0.001 ? 'below 0.001' : `= ${decimalText(p, p < 0.1 ? 3 : 2)}`;
}
