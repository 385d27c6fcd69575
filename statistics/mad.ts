import { median } from './median.ts';

/**
 * Makes the median absolute deviation of a normal distribution its standard deviation: 1 / 0.6745 (rounded as usual).
 */
export const MAD_TO_STANDARD_DEVIATION = 1.4826;

/**
 * Median absolute deviation from the median, raw: times `MAD_TO_STANDARD_DEVIATION` it compares with a standard
 * deviation. It flags values that stand apart, and is never a reason to remove one. Null without values.
 * @example medianAbsoluteDeviation([1, 2, 3, 4, 100]) // distances 2 1 0 1 97, their median 1
 */
export function medianAbsoluteDeviation(values: readonly number[]): number | null {
  const centre = median(values);
  if (centre === null) return null;
  return median(values.map((value) => Math.abs(value - centre)));
}

/**
 * Distance of each value from the median in scaled median absolute deviations, in the order of the values. Null where
 * that says nothing: more than half of the values are equal, so the deviation is 0.
 */
export function deviationsFromMedian(values: readonly number[]): (number | null)[] {
  const centre = median(values);
  const deviation = medianAbsoluteDeviation(values);
  return values.map((value) =>
    centre === null || deviation === null || deviation === 0
      ? null
      : (value - centre) / (MAD_TO_STANDARD_DEVIATION * deviation),
  );
}
