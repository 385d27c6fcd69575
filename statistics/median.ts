import { quantile } from './quantile.ts';

/**
 * Median: the quantile of type 7 at 0.5, so the middle value, or half-way between the two middle ones; null without
 * values.
 * @example median([4, 1, 2, 9]) // half-way between 2 and 4 = 3
 */
export function median(values: readonly number[]): number | null {
  return quantile(values, 0.5);
}
