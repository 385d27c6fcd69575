/**
 * Quantile of type 7 (Hyndman and Fan; the default of R and NumPy): the value at position p (n - 1) of the sorted
 * values, counted from 0, with a straight line between neighbours; null without values.
 * @example quantile([10, 20, 30, 40], 0.25) // position 0.75: 10 + 0.75 x 10 = 17.5
 */
export function quantile(values: readonly number[], probability: number): number | null {
  // Numbers sorted as numbers by the engine itself: 10,000 resamples are sorted for every interval.
  return quantileOfSorted(new Float64Array(values).sort(), probability);
}

/** `quantile` of sorted values. */
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

/**
 * Quantile of type 1 (Hyndman and Fan; `inverted_cdf` of NumPy) of sorted values: the least value at which their empirical
 * distribution function reaches the percentage; null without values.
 * @param percent whole: of 20 values 35 % are 7, where 0.35 x 20 is more in binary
 * @example reachedQuantile([10, 20, 30, 40], 25) // 10
 */
export function reachedQuantile(sorted: ArrayLike<number>, percent: number): number | null {
  if (!(percent >= 0 && percent <= 100)) {
    throw new RangeError(`percent is ${percent}, expected 0 to 100`);
  }
  return sorted[Math.max(0, Math.ceil((percent * sorted.length) / 100) - 1)] ?? null;
}

/** `quantile` of many unsorted values, which it reorders: it selects two values without sorting the rest. */
export function quantileInPlace(values: Float64Array, probability: number): number {
  const position = probability * (values.length - 1);
  const rank = Math.floor(position);
  select(values, rank);
  const below = values[rank] as number;
  if (rank === position) return below;
  let above = Number.POSITIVE_INFINITY;
  for (let i = rank + 1; i < values.length; i++) above = Math.min(above, values[i] as number);
  return below + (position - rank) * (above - below);
}

/** Puts the value of this rank, counted from 0, in its place, none larger before it and none smaller behind it (Hoare 1961). */
function select(values: Float64Array, rank: number): void {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[(low + high) >> 1] as number;
    let [left, right] = [low, high];
    while (left <= right) {
      while ((values[left] as number) < pivot) left++;
      while ((values[right] as number) > pivot) right--;
      if (left > right) break;
      const moved = values[left] as number;
      values[left++] = values[right] as number;
      values[right--] = moved;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else return;
  }
}
