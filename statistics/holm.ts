/**
 * Holm's adjusted p-values, in the order given: compared with 0.05 they keep the chance of even one false finding in
 * the family below 5 %, however the tests depend on each other. A null (not tested) stays null and is outside the
 * family. Source: Holm 1979, Scandinavian Journal of Statistics 6, 65-70.
 * @example holm([0.01, null, 0.04]) // [0.02, null, 0.04]
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const family = [...pValues.entries()].filter(
    (entry): entry is [number, number] => entry[1] !== null,
  );
  family.sort(([, a], [, b]) => a - b);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let largest = 0;
  for (const [place, [index, p]] of family.entries()) {
    largest = Math.max(largest, Math.min(1, p * (family.length - place)));
    adjusted[index] = largest;
  }
  return adjusted;
}
