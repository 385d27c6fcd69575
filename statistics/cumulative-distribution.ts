/** A step of an empirical distribution: the share of all values that are at most `value`. */
export interface Step {
  value: number;
  share: number;
}

/**
 * Empirical cumulative distribution: one step for each different value, ascending, the last with share 1. Empty
 * without values.
 * @example cumulativeDistribution([3, 1, 3, 2]) // 1: 0.25, 2: 0.5, 3: 1
 */
export function cumulativeDistribution(values: readonly number[]): Step[] {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.flatMap((value, index) =>
    sorted[index + 1] === value ? [] : [{ value, share: (index + 1) / sorted.length }],
  );
}
