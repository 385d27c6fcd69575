import { doubledMidRanks } from './mid-ranks.ts';

/**
 * Cliff's delta of two unpaired samples: how much more often a value of `first` is the larger than the smaller one
 * against a value of `second`, over all pairs; 1 when all are larger, -1 when all are smaller. Null when a sample is
 * empty. Source: Cliff 1993, doi:10.1037/0033-2909.114.3.494.
 * @example cliffsDelta([1, 5], [2, 3]) // larger 2, smaller 2 of 4 pairs: 0
 */
export function cliffsDelta(first: readonly number[], second: readonly number[]): number | null {
  if (first.length === 0 || second.length === 0) return null;
  // The doubled ranks give larger pairs + larger or equal pairs without visiting every pair.
  const ranks = doubledMidRanks([...first, ...second]).slice(0, first.length);
  const doubledU = ranks.reduce((sum, rank) => sum + rank, 0) - first.length * (first.length + 1);
  return doubledU / (first.length * second.length) - 1;
}
