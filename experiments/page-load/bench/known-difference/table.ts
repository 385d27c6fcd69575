import type { Estimate } from '../../../../kit/text/estimate.ts';
import type { Verdict } from '../../../../kit/text/verdict.ts';
import { median } from '../../../../statistics/median.ts';

/** The answer of one run, or of one that was simulated. */
export interface Answer {
  verdict: Verdict;
  /** Delayed server / server without a delay; null: too few pairs. */
  ratio: Estimate | null;
  nPairs: number;
}

/** What is known to be so. */
interface Truth {
  /** Delayed server / server without a delay. */
  ratio: number;
  marginPercent: number;
}

/** How often runs said something, and how often the wrong thing. */
export interface Counts {
  runs: number;
  /** Any verdict but `cannot tell`. */
  decided: number;
  slower: number;
  faster: number;
  same: number;
  wrong: number;
  /** Runs whose interval does not hold the true ratio. */
  outside: number;
  /** Of the estimates; null: no run has one. */
  medianRatio: number | null;
  medianPairs: number | null;
}

/**
 * Counts what runs said. Wrong is a direction that is not so, and `same` at or beyond the margin. `slower` within the margin is right: a
 * verdict says the direction, not that the difference matters.
 */
export function countAnswers(answers: readonly Answer[], truth: Truth): Counts {
  const count = (is: (answer: Answer) => boolean) => answers.filter(is).length;
  const said = (verdict: Verdict) => count((answer) => answer.verdict === verdict);
  return {
    runs: answers.length,
    decided: count(({ verdict }) => verdict !== 'cannot tell'),
    slower: said('slower'),
    faster: said('faster'),
    same: said('same'),
    wrong: count(({ verdict }) => isWrong(verdict, truth)),
    outside: count(
      ({ ratio }) =>
        ratio !== null &&
        ((ratio.low ?? Number.NEGATIVE_INFINITY) > truth.ratio ||
          (ratio.high ?? Number.POSITIVE_INFINITY) < truth.ratio),
    ),
    medianRatio: median(answers.flatMap(({ ratio }) => ratio?.estimate ?? [])),
    medianPairs: median(answers.map(({ nPairs }) => nPairs)),
  };
}

function isWrong(verdict: Verdict, { ratio, marginPercent }: Truth): boolean {
  switch (verdict) {
    case 'slower':
      return ratio <= 1;
    case 'faster':
      return ratio >= 1;
    case 'same':
      return Math.abs(Math.log(ratio)) >= Math.log1p(marginPercent / 100);
    case 'cannot tell':
      return false;
  }
}

/** `2 of 10`. */
export function ofRuns(number: number, runs: number): string {
  return `${number} of ${runs}`;
}
