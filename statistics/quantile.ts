/**
 * Quantile of type 7 (Hyndman and Fan; the default of R and NumPy): the value at position p (n - 1) of the sorted
 * values, counted from 0, with a straight line between neighbours; null without values.
 * @example quantile([10, 20, 30, 40], 0.25) // position 0.75: 10 + 0.75 x 10 = 17.5
 */
export function quantile(values: readonly number[], probability: number): number | null {
  // Numbers sorted as numbers by the engine itself: 10,000 resamples are sorted for every interval.
  return quantileOfSorted(new Float64Array(values).sort(), probability);
}

/** The same of values that are sorted already. */
export function quantileOfSorted(
  sorted: readonly number[] | Float64Array,
  probability: number,
): number | null {
  if (!(probability >= 0 && probability <= 1)) {
    throw new RangeError(`probability is ${probability}, expected 0 to 1`);
  }
  const position = probability * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (position - Math.floor(position)) * (above - below);
}
