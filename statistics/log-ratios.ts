/**
 * The natural logarithm of numerator / denominator of each pair: e to the power of an estimate or of an interval's
 * end is the ratio. Differences of logarithms treat twice as long and half as long alike. Infinite values are failures, -Infinity where
 * more is better: two of them are a tie.
 * @throws RangeError when a value is neither above 0 nor -Infinity
 * @example logRatios([[200, 100]]) // [0.693]
 */
export function logRatios(pairs: readonly (readonly [numerator: number, denominator: number])[]) {
  return pairs.map(([numerator, denominator]) => {
    if (!(isPossible(numerator) && isPossible(denominator))) {
      throw new RangeError(
        `ratio of ${numerator} and ${denominator}: expected two numbers above 0`,
      );
    }
    return numerator === denominator ? 0 : logOf(numerator) - logOf(denominator);
  });
}

function isPossible(value: number): boolean {
  return value > 0 || value === Number.NEGATIVE_INFINITY;
}

/** A failure stays at its side of all logarithms. */
function logOf(value: number): number {
  return value === Number.NEGATIVE_INFINITY ? value : Math.log(value);
}
