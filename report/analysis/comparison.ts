import type { VisitKind } from '../../records/page-load.ts';

/** An estimate with the interval that holds the truth in 95 of 100 such runs. */
export interface Interval {
  estimate: number;
  low: number;
  high: number;
}

/**
 * What can be said of a stack against its baseline: faster or slower (the adjusted test says so), same (the whole interval
 * of the ratio lies within the margin chosen beforehand, whatever the test says), cannot tell.
 */
export type Verdict = 'faster' | 'slower' | 'same' | 'cannot tell';

/** A network condition and a kind of visit: what all loads of a comparison have in common but for the site. */
export interface ConditionOfComparison {
  /** Name of the network condition. */
  network: string;
  visit: VisitKind;
}

/** One metric of two stacks, load by load of the same block; ratios and differences are stack against baseline. */
export interface PairedDifference {
  /** Blocks in which both loads have the number. */
  nPairs: number;
  /** Hodges-Lehmann estimate of the paired differences, in ms; null below 2 pairs. Below 0: the stack is faster. */
  differenceMs: Interval | null;
  /** The same of the logarithms of the ratios, turned back; below 1: the stack is faster. */
  ratio: Interval | null;
  /** Share of the pairs in which the stack was faster, ties counting half, in percent. */
  fasterInPercent: number | null;
  /** Two-sided Wilcoxon signed-rank test of the log ratios; null: no test from so few pairs. */
  p: number | null;
}

/** The page load time of a stack against the baseline, on one site under one condition. */
export interface Comparison extends ConditionOfComparison, PairedDifference {
  site: string;
  stack: string;
  baseline: string;
  /** p after Holm over all comparisons of the run (controls left out); null as p is. */
  pHolm: number | null;
  /** Cliff's delta of the two samples, -1 to 1; below 0: the stack's loads tend to be faster. */
  cliffsDelta: number | null;
  verdict: Verdict;
  /** The verdict's reason as a sentence with its numbers. */
  reason: string;
  /** The smallest true difference that so many pairs with such a spread find in 80 of 100 runs, in percent. */
  detectablePercent: number | null;
  /** How many more pairs such a spread would need to tell; null: it is told, or no number can be given. */
  morePairsNeeded: number | null;
  /** Fewer than 20 pairs, and the like, as sentences. */
  notes: string[];
  /** Differences in the other metrics by their names: exploratory, p adjusted after Benjamini and Hochberg. */
  otherMetrics: Record<string, PairedDifference & { pAdjusted: number | null }>;
}

/** A stack against the baseline over all sites, under one condition. */
export interface PooledComparison extends ConditionOfComparison {
  stack: string;
  baseline: string;
  nSites: number;
  nPairs: number;
  /** Geometric mean over the sites of their ratios; its interval from resampled sites, then pairs. */
  ratio: Interval | null;
  verdict: Verdict;
  /** The answer of the condition in one sentence. */
  sentence: string;
  /** How many sites have each verdict. */
  verdicts: Record<Verdict, number>;
  /** The same ratio without the blocks that hold a disturbed load; null: there were none. */
  ratioWithoutDisturbed: Interval | null;
}

/** How often a stack was called different from itself. */
export interface ControlResult {
  stack: string;
  control: string;
  /** Sites x conditions with enough pairs for the test. */
  nComparisons: number;
  /** Of these, with p below 0.05 before any correction. */
  nCalledDifferent: number;
  /** nCalledDifferent / nComparisons with its exact interval (Clopper and Pearson). */
  falsePositiveRate: Interval | null;
  /** Verdicts faster or slower after the same correction as the run's own. */
  nWrongVerdicts: number;
  /** Over all sites, condition by condition. */
  pooled: PooledComparison[];
  comparisons: Comparison[];
}
