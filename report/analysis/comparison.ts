import type { VisitKind } from '../../records/page-load.ts';
import type { MetricName, MetricUnit } from '../metrics/metric.ts';

/** An estimate with its 95 % interval; `low` and `high` are both null where there are too few pairs (or sites) for one. */
export interface Estimate {
  estimate: number;
  low: number | null;
  high: number | null;
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

/** One metric of two stacks, load by load of the same block; ratios are stack / baseline. */
export interface PairedRatio {
  /** Blocks in which both loads have the number. */
  nPairs: number;
  /** e to the power of the Hodges-Lehmann estimate of the log ratios; below 1: the stack's is lower. Null without pairs. */
  ratio: Estimate | null;
  /** Share of the pairs in which the stack's number was the lower one, ties counting half, in percent. */
  lowerInPercent: number | null;
  /** Two-sided Wilcoxon signed-rank test of the log ratios; null: fewer than 6 pairs. */
  p: number | null;
}

/** The metric of verdicts (mostly page load time) of a stack against the baseline, on one site under one condition. */
export interface Comparison extends ConditionOfComparison, PairedRatio {
  site: string;
  stack: string;
  baseline: string;
  /** Hodges-Lehmann estimate of stack - baseline in ms; below 0: the stack is faster. */
  differenceMs: Estimate | null;
  /** p after Holm over all comparisons of the run (controls have a family of their own); null as p is. */
  pHolm: number | null;
  /** Cliff's delta of the two samples, -1 to 1; below 0: the stack's loads tend to be faster. */
  cliffsDelta: number | null;
  verdict: Verdict;
  /** The verdict's reason as a sentence with its numbers. */
  reason: string;
  /**
   * The smallest true difference, in percent of the baseline, that so many pairs with such a spread find in 80 of 100
   * runs (before Holm's correction); null: too few pairs.
   */
  detectablePercent: number | null;
  /**
   * How many more pairs with such a spread it would take to tell, if the estimate is the truth; 0: the number is enough,
   * but not after the correction. Null: it is told, or takes more than 1,000.
   */
  morePairsNeeded: number | null;
  /** Fewer than 20 pairs, blocks left out, what the machine did to one of the two, and the like, as sentences. */
  notes: string[];
  /** The other metrics by their names, that of the verdict left out: exploratory. */
  otherMetrics: Partial<Record<MetricName, MetricComparison>>;
}

/** Another metric of the same two stacks: exploratory, no verdict. */
export interface MetricComparison extends Omit<PairedRatio, 'p'> {
  unit: MetricUnit;
  /** Hodges-Lehmann estimate of stack - baseline in `unit`. */
  difference: Estimate | null;
  /** As in PairedRatio; of the differences where a value is 0 and has no ratio. */
  p: number | null;
  /** p after Benjamini and Hochberg over all other metrics of all comparisons of the run. */
  pAdjusted: number | null;
}

/** A stack against the baseline over all sites, under one condition. */
export interface PooledComparison extends ConditionOfComparison {
  stack: string;
  baseline: string;
  /** Whether the two differ in the protocol alone; only then the sentence may speak of protocols. */
  likeForLike: boolean;
  nSites: number;
  nPairs: number;
  /** Geometric mean over the sites of their ratios; the interval from resampled sites, then pairs. */
  ratio: Estimate | null;
  /** From the interval alone: inside of the margin, wholly below 1, wholly above 1, or none of these. */
  verdict: Verdict;
  /** The answer of the condition in one sentence. */
  sentence: string;
  /** How many sites have each verdict. */
  verdicts: Record<Verdict, number>;
  /** The same ratio without the blocks that hold a disturbed load; null: there were none, or nothing is left. */
  ratioWithoutDisturbed: Estimate | null;
  /** What the machine did to one of the two and not to the other, as sentences. */
  notes: string[];
}

/** How often a stack was called different from itself. */
export interface ControlResult {
  stack: string;
  control: string;
  /** Sites x conditions with enough pairs for the test. */
  nComparisons: number;
  /** Of these, with p below 0.05 before any correction. */
  nCalledDifferent: number;
  /** nCalledDifferent / nComparisons (0 to 1) with its exact interval (Clopper and Pearson); null without comparisons. */
  falsePositiveRate: Estimate | null;
  /** Verdicts faster or slower, after a correction over the comparisons of this control. */
  nWrongVerdicts: number;
  /** What came out, in one sentence. */
  sentence: string;
  /** Over all sites, condition by condition; `stack` is the control, `baseline` the stack that it repeats. */
  pooled: PooledComparison[];
  comparisons: Comparison[];
}
