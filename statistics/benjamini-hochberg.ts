/**
 * Benjamini and Hochberg's adjusted p-values, in the order given: compared with 0.05 they keep the expected share of
 * false findings among the findings below 5 %, for independent or positively dependent tests. A null (not tested)
 * stays null and is outside the family. Source: Benjamini and Hochberg 1995,
 * doi:10.1111/j.2517-6161.1995.tb02031.x.
 * @example benjaminiHochberg([0.01, null, 0.04]) // [0.02, null, 0.04]
 */
export function benjaminiHochberg(pValues: readonly (number | null)[]): (number | null)[] {
  const family = [...pValues.entries()].filter(
    (entry): entry is [number, number] => entry[1] !== null,
  );
  family.sort(([, a], [, b]) => b - a);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let smallest = 1;
  for (const [place, [index, p]] of family.entries()) {
    smallest = Math.min(smallest, (p * family.length) / (family.length - place));
    adjusted[index] = smallest;
  }
  return adjusted;
}
