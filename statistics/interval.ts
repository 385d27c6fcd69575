/** A confidence interval, both ends included, in the unit of the values. */
export interface Interval {
  low: number;
  high: number;
}

/** Every interval here is two-sided with this share outside: 95 % intervals. */
export const TAIL_PROBABILITY = 0.025;

/**
 * Below so many values or pairs no 95 % interval free of a distribution exists: at 5 the widest one holds 93.75 %.
 */
export const FEWEST_FOR_INTERVAL = 6;
