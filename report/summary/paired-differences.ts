import type { Metric } from '../../ground/experiment.ts';
import { median } from '../../statistics/median.ts';
import type { Block } from './blocks.ts';
import { pairedValues } from './paired-values.ts';

/** Differences that published comparisons of handshakes count, in ms. */
const THRESHOLDS_MS = [10, 20] as const;

/** How much sooner an arm was than another one, pair by pair, in the unit of the metric. */
interface PairedDifferences {
  nPairs: number;
  /** Other arm minus arm: above 0 the arm was sooner. null: without pairs. */
  median: number | null;
  /** Percentage of pairs in which the arm was sooner; ties are not. */
  soonerPercent: number | null;
  /** Percentage of pairs in which it was sooner by at least this much. */
  soonerBy: readonly { atLeast: number; percent: number | null }[];
  /** From the smallest to the largest. */
  differences: readonly number[];
}

/** The differences of two arms over the blocks in which both are ok; the plain counts, without any weighting of subjects. */
export function pairedDifferences(
  blocks: readonly Block[],
  metric: Metric,
  arm: string,
  other: string,
  thresholds: readonly number[] = THRESHOLDS_MS,
): PairedDifferences {
  const differences = pairedValues(blocks, metric, arm, other)
    .map(([value, otherValue]) => otherValue - value)
    .sort((a, b) => a - b);
  const percentOf = (counts: (difference: number) => boolean) =>
    differences.length === 0
      ? null
      : (100 * differences.filter(counts).length) / differences.length;
  return {
    nPairs: differences.length,
    median: median(differences),
    soonerPercent: percentOf((difference) => difference > 0),
    soonerBy: thresholds.map((atLeast) => ({
      atLeast,
      percent: percentOf((difference) => difference >= atLeast),
    })),
    differences,
  };
}
