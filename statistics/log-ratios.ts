/**
 * The natural logarithm of numerator / denominator of each pair: e to the power of an estimate or of an interval's
 * end is the ratio. Differences of logarithms treat twice as long and half as long alike. Infinite values are failures: two of them
 * are a tie.
 * @throws RangeError when a value is not above 0
 * @example logRatios([[200, 100]]) // [0.693]
 */
export function logRatios(pairs: readonly (readonly [numerator: number, denominator: number])[]) {
  return pairs.map(([numerator, denominator]) => {
    if (!(numerator > 0 && denominator > 0)) {
      throw new RangeError(
        `a ratio of ${numerator} and ${denominator} was asked for, expected two numbers above 0`,
      );
    }
    return numerator === denominator ? 0 : Math.log(numerator) - Math.log(denominator);
  });
}
