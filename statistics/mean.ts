/**
 * Arithmetic mean: the sum divided by n; null without values.
 * @example mean([1, 2, 6]) // 9 / 3 = 3
 */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
