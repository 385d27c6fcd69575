/**
 * Largest value; null without values.
 * @example maximum([3, 1, 2]) // 3
 */
export function maximum(values: readonly number[]): number | null {
  let largest: number | null = null;
  for (const value of values) if (largest === null || value > largest) largest = value;
  return largest;
}
