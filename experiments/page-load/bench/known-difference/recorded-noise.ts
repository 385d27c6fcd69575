import { type Metric, TIME } from '../../../../ground/experiment.ts';
import { type Estimate, ratioOf } from '../../../../kit/text/estimate.ts';
import type { Verdict } from '../../../../kit/text/verdict.ts';
import type { Block } from '../../../../report/summary/blocks.ts';
import { decideFamily, type Evidence, estimateAt } from '../../../../report/summary/family.ts';
import { testedPairs } from '../../../../report/summary/paired-values.ts';
import { fixedSites } from '../../../../statistics/fixed-sites.ts';
import { hodgesLehmann } from '../../../../statistics/hodges-lehmann.ts';
import { logRatios } from '../../../../statistics/log-ratios.ts';
import { median } from '../../../../statistics/median.ts';
import { seededPick } from '../../../../statistics/random.ts';

/** Log ratios of a page's pairs around their centre, in the groups that shared servers and browsers. */
export type PageNoise = readonly (readonly number[])[];

/** What the pairs of two stacks vary by on one page under one condition; null: fewer than 6 pairs of which both loads ended. */
export function noiseOf(
  blocks: readonly Block[],
  metric: Metric,
  [arm, baseline]: readonly [arm: string, baseline: string],
): PageNoise | null {
  const pairs = testedPairs(blocks, metric, arm, baseline).filter(({ values }) =>
    values.every(Number.isFinite),
  );
  const groups = [...Map.groupBy(pairs, ({ browsers }) => browsers).values()].map((group) =>
    logRatios(group.map(({ values }) => values)),
  );
  const centre = hodgesLehmann(groups.flat());
  if (centre === null || pairs.length < FEWEST_PAIRS) return null;
  return groups.map((group) => group.map((log) => log - centre));
}

/** Fewer pairs of a page have no 95 % interval, and say nothing of a spread. */
const FEWEST_PAIRS = 6;

interface SimulatedRuns {
  /** Of each page. */
  pairs: number;
  /** Pairs of one start of servers and browsers. */
  pairsPerStart: number;
  /** Delayed server / server without a delay. */
  ratio: number;
  marginPercent: number;
  runs: number;
  seed: number;
}

/**
 * Runs of which every answer is decided once, after so many pairs of each page, by the rule of a real one. A start is one that was
 * recorded, its pairs are drawn from those of that start, and its sign is drawn, so that the true ratio is `ratio`.
 */
export function simulateRuns(
  pages: readonly PageNoise[],
  { pairs, pairsPerStart, ratio, marginPercent, runs, seed }: SimulatedRuns,
): Answer[] {
  const pick = seededPick(seed);
  const effect = Math.log(ratio);
  const drawStart = (page: PageNoise, size: number) => {
    const group = page[pick(page.length)] as readonly number[];
    const sign = pick(2) === 0 ? -1 : 1;
    return Array.from(
      { length: size },
      () => effect + sign * (group[pick(group.length)] as number),
    );
  };
  return Array.from({ length: runs }, () => {
    const samples = pages.map((page) =>
      Array.from({ length: Math.ceil(pairs / pairsPerStart) }, (_, start) =>
        drawStart(page, Math.min(pairsPerStart, pairs - start * pairsPerStart)),
      ),
    );
    const evidence: Evidence = {
      nPairs: samples.flat(2).length,
      ratio: fixedSites(samples),
      failures: [],
      nBothFailed: 0,
    };
    const only = [{ fraction: 1, evidence }];
    const [decision] = decideFamily([only], { marginPercent, metric: TIME });
    const level = decision?.level ?? 1;
    return {
      verdict: decision?.verdict ?? 'cannot tell',
      ratio: ratioOf(estimateAt(evidence.ratio, level)),
      nPairs: evidence.nPairs,
    };
  });
}

/** The answer of one run, or of one that was simulated. */
export interface Answer {
  verdict: Verdict;
  /** Delayed server / server without a delay; null: too few pairs. */
  ratio: Estimate | null;
  nPairs: number;
}

type Truth = Pick<SimulatedRuns, 'ratio' | 'marginPercent'>;

interface Counts {
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
