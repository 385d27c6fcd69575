import * as s from './schema.ts';

/** Factors of an attempt: name to value. */
export const factorsSchema = s.map(
  s.name("The factor's value."),
  'Factors of the attempt, name to value: {"visit": "cold"}.',
);

export type Factors = s.Static<typeof factorsSchema>;

/** Variant: the factors' values joined by dots, such as `cold`; empty without factors. */
export function variantOf(factors: Factors): string {
  return Object.keys(factors)
    .sort()
    .map((factor) => factors[factor])
    .join('.');
}

/** All combinations of the planned values; without factors one empty combination. */
export function combinationsOf(planned: Readonly<Record<string, readonly string[]>>): Factors[] {
  return Object.entries(planned).reduce<Factors[]>(
    (found, [factor, values]) =>
      found.flatMap((before) => values.map((value) => ({ ...before, [factor]: value }))),
    [{}],
  );
}

/** Variants of all combinations. */
export function variantsOf({
  factors,
}: {
  factors: Readonly<Record<string, readonly string[]>>;
}): string[] {
  return combinationsOf(factors).map(variantOf);
}
