import { mean } from './mean.ts';

/**
 * Standard deviation of a sample: the square root of the summed squared distances from the mean divided by n - 1, in
 * two passes; null below two values, because one value says nothing about spread.
 * @example standardDeviation([2, 4, 6]) // mean 4, squares 4 + 0 + 4 = 8, 8 / 2 = 4, root 2
 */
export function standardDeviation(values: readonly number[]): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  let squares = 0;
  for (const value of values) squares += (value - centre) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}
