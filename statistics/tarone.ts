interface DiscreteTest {
  /** null: not tested, and outside the family. */
  p: number | null;
  /** The least p that its number of values allows. */
  leastP: number;
}

/**
 * Adjusted p-values of discrete tests, in the order given. Compared with `alpha`, they keep the chance of any false finding
 * in the family below it, however the tests depend on each other. Holm's method, but tests that could never pass are not
 * counted: with k the least number for which at most k of the remaining tests could have p <= alpha / k, p is multiplied by
 * k instead of by their number.
 * Source: Tarone 1990, doi:10.2307/2531456; step by step: Hommel and Krummenauer 1998, Biometrics 54, 673-681.
 * @example tarone([{ p: 0.01, leastP: 0.001 }, { p: 0.5, leastP: 0.4 }], 0.05) // [0.01, 0.5]
 */
export function tarone(tests: readonly DiscreteTest[], alpha: number): (number | null)[] {
  const family = [...tests.entries()]
    .flatMap(([index, { p, leastP }]) => (p === null ? [] : [{ index, p, leastP }]))
    .toSorted((a, b) => a.p - b.p);
  const adjusted: (number | null)[] = tests.map(() => null);
  let largest = 0;
  for (const [place, { index, p }] of family.entries()) {
    const times = leastDivisor(family.slice(place), alpha);
    largest = Math.max(largest, Math.min(1, p * times));
    adjusted[index] = largest;
  }
  return adjusted;
}

function leastDivisor(tests: readonly Pick<DiscreteTest, 'leastP'>[], alpha: number): number {
  let divisor = 1;
  while (tests.filter(({ leastP }) => leastP <= alpha / divisor).length > divisor) divisor++;
  return divisor;
}
