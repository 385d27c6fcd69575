/** A value and its share of a mixture, in any unit. */
export interface WeightedValue {
  value: number;
  weight: number;
}

/**
 * Quantile of type 1 of a mixture: the least value at which the weights of values up to it reach the probability; null
 * without values.
 * @example weightedQuantile([{ value: 1, weight: 3 }, { value: 9, weight: 1 }], 0.75) // 1
 */
export function weightedQuantile(
  values: readonly WeightedValue[],
  probability: number,
): number | null {
  const sorted = values.toSorted((a, b) => a.value - b.value);
  const total = weightOf(sorted);
  let reached = 0;
  for (const { value, weight } of sorted) {
    reached += weight;
    // Sums of shares are not exact in binary.
    if (reached >= total * (probability - 1e-9)) return value;
  }
  return null;
}

export function weightOf(values: readonly WeightedValue[]): number {
  return values.reduce((sum, { weight }) => sum + weight, 0);
}
