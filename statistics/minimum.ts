/**
 * Smallest value; null without values.
 * @example minimum([3, 1, 2]) // 1
 */
export function minimum(values: readonly number[]): number | null {
  let smallest: number | null = null;
  for (const value of values) if (smallest === null || value < smallest) smallest = value;
  return smallest;
}
