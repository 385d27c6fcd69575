import type { Unit } from '../../experiments/experiment.ts';
import type { Estimate } from '../text/estimate.ts';
import type { Verdict } from '../text/verdict.ts';

/** A network condition and a kind of visit: what all loads of a comparison have in common but for the site. */
export interface ConditionOfComparison {
  /** Name of the network condition. */
  network: string;
  variant: string;
}

/** One metric of two stacks, load by load of the same block; ratios are stack / baseline. */
export interface PairedRatio {
  /** Pairs of loads of one block that both have the number, or failed by their own server or page. */
  nPairs: number;
  /** e to the power of the Hodges-Lehmann estimate of the log ratios; below 1: the stack's is lower. Null without pairs, or where failures leave none. */
  ratio: Estimate | null;
  /** Share of the pairs in which the stack's number was the lower one, ties counting half, in percent. */
  lowerInPercent: number | null;
  /** Two-sided Wilcoxon signed-rank test of the log ratios; null: fewer than 6 pairs. */
  p: number | null;
}

/** The metric of verdicts (mostly page load time) of a stack against the baseline, on one site under one condition. */
export interface Comparison extends ConditionOfComparison, PairedRatio {
  subject: string;
  arm: string;
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
  otherMetrics: Partial<Record<string, MetricComparison>>;
}

/** Another metric of the same two stacks: exploratory, no verdict. */
export interface MetricComparison extends Omit<PairedRatio, 'p'> {
  unit: Unit;
  /** Hodges-Lehmann estimate of stack - baseline in `unit`. */
  difference: Estimate | null;
  /** As in PairedRatio; of the differences where a value is 0 and has no ratio. */
  p: number | null;
  /** p after Benjamini and Hochberg over all other metrics of all comparisons of the run. */
  pAdjusted: number | null;
}

/** One primary answer: a stack against the baseline on these very sites, under one condition. */
export interface PrimaryAnswer extends ConditionOfComparison {
  arm: string;
  baseline: string;
  /** Whether the two differ in the protocol alone; only then the sentence may speak of protocols. */
  likeForLike: boolean;
  nSites: number;
  nPairs: number;
  /** Pairs in which the load failed by its own server or page: slower than all that ended. */
  nFailed: { arm: number; baseline: number };
  /** e to the power of the mean of the sites' log ratios; the interval speaks of these sites, at `level`. */
  ratio: Estimate | null;
  /** Mean over the sites of stack - baseline in ms, in the same way. */
  differenceMs: Estimate | null;
  /** Share outside of the intervals: 0.05, shared alike among the answers, and what looks before leave of it. */
  level: number;
  /** From the interval at the look at which it was told: inside of the margin, wholly below 1, wholly above 1, or none of these. */
  verdict: Verdict;
  /** How many pairs there were when the verdict was in; null: it is not. */
  toldAfterPairs: number | null;
  /** The answer in one sentence. */
  sentence: string;
  /** How many sites have each verdict. */
  verdicts: Record<Verdict, number>;
  /** The same ratio without the blocks that hold a disturbed load; null: there were none, or nothing is left. */
  ratioWithoutDisturbed: Estimate | null;
  /** The secondary answer; null below 5 sites. */
  pagesLikeThese: PagesLikeThese | null;
  /** Sites that it does not speak of, and what the machine did to one of the two and not to the other, as sentences. */
  notes: string[];
}

/** What the sites say of others that they are a sample of; not corrected for anything. */
export interface PagesLikeThese {
  nSites: number;
  /** The mean ratio of such sites with its 95 % interval. */
  ratio: Estimate;
  /** Where the ratio of one more such site is to be expected, 95 %. */
  ofOneMore: { low: number; high: number };
}

/** How often a stack was called different from itself. */
export interface ControlResult {
  arm: string;
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
  primary: PrimaryAnswer[];
  comparisons: Comparison[];
}
