import * as s from './schema.ts';

/** What an attempt was made under beside its network: name of a factor to its value. */
export const factorsSchema = s.map(
  s.name("The factor's value."),
  'What the attempt was made under beside its network: name of a factor to its value, {"visit": "cold"}.',
);

export type Factors = s.Static<typeof factorsSchema>;

/** The values of the factors in one word, `cold`: the same for the same values, and only then; empty without factors. */
export function variantOf(factors: Factors): string {
  return Object.keys(factors)
    .sort()
    .map((factor) => factors[factor])
    .join('.');
}

/** Every combination of the values that a plan has for its factors; one without any where it has none. */
export function combinationsOf(planned: Readonly<Record<string, readonly string[]>>): Factors[] {
  return Object.entries(planned).reduce<Factors[]>(
    (found, [factor, values]) =>
      found.flatMap((before) => values.map((value) => ({ ...before, [factor]: value }))),
    [{}],
  );
}

/** Every combination of a plan's factors in one word each. */
export function variantsOf({
  factors,
}: {
  factors: Readonly<Record<string, readonly string[]>>;
}): string[] {
  return combinationsOf(factors).map(variantOf);
}
