/** A confidence interval, both ends included, in the unit of the values. */
export interface Interval {
  low: number;
  high: number;
}

/** Share outside on each side of a 95 % interval. */
export const TAIL_PROBABILITY = 0.025;

/**
 * Fewest values or pairs for a distribution-free 95 % interval: with 5 the widest interval has 93.75 %.
 */
export const FEWEST_FOR_INTERVAL = 6;
