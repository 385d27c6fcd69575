import { quantile } from '../../statistics/quantile.ts';

/** Of all differences, so many are within the axis; the others stand at its ends. */
const SHOWN_SHARE = 0.98;

/** Ends of an axis of differences: always with zero, and without the few that would flatten all others. */
export function differenceEnds(differences: readonly number[]): [low: number, high: number] {
  const finite = differences.filter(Number.isFinite);
  const tail = (1 - SHOWN_SHARE) / 2;
  return [Math.min(0, quantile(finite, tail) ?? 0), Math.max(0, quantile(finite, 1 - tail) ?? 0)];
}
