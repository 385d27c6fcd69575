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

/** Centred log ratios of a page's pairs, in groups that shared servers and browsers. */
export type PageNoise = readonly (readonly number[])[];

/** Variation of the pairs of two stacks on one page under one condition; null: fewer than 6 pairs of completed loads. */
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

/** Fewer pairs of a page have no 95 % interval. */
const FEWEST_PAIRS = 6;

interface SimulatedRuns {
  pairs: number;
  /** Number of pairs per start of servers and browsers. */
  pairsPerStart: number;
  /** True ratio of page load times: delayed server / server without a delay. */
  ratio: number;
  marginPercent: number;
  runs: number;
  seed: number;
}

/**
 * Simulates runs whose question is decided once, after `pairs` pairs of each page, by the rule of real runs. Each start is drawn
 * from the recorded ones, its pairs from those of that start, and its sign at random, so that the true ratio is `ratio`.
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
      verdict: decision?.verdict ?? 'undecided',
      ratio: ratioOf(estimateAt(evidence.ratio, level)),
      nPairs: evidence.nPairs,
    };
  });
}

/** The answer of a real or simulated run. */
export interface Answer {
  verdict: Verdict;
  /** Estimated ratio; null: too few pairs. */
  ratio: Estimate | null;
  nPairs: number;
}

type Truth = Pick<SimulatedRuns, 'ratio' | 'marginPercent'>;

interface Counts {
  runs: number;
  /** Any verdict but `undecided`. */
  decided: number;
  slower: number;
  faster: number;
  same: number;
  wrong: number;
  /** Runs whose interval does not contain the true ratio. */
  outside: number;
  /** Median of the estimates; null: no estimates. */
  medianRatio: number | null;
  medianPairs: number | null;
}

/**
 * Counts verdicts. A wrong direction is wrong, and so is `same` at or beyond the margin. `slower` within the margin is right,
 * because a verdict is about the direction, not about relevance.
 */
export function countAnswers(answers: readonly Answer[], truth: Truth): Counts {
  const count = (is: (answer: Answer) => boolean) => answers.filter(is).length;
  const countOf = (verdict: Verdict) => count((answer) => answer.verdict === verdict);
  return {
    runs: answers.length,
    decided: count(({ verdict }) => verdict !== 'undecided'),
    slower: countOf('slower'),
    faster: countOf('faster'),
    same: countOf('same'),
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
    case 'undecided':
      return false;
  }
}

/** A number of runs as text: `2 of 10`. */
export function ofRuns(number: number, runs: number): string {
  return `${number} of ${runs}`;
}
