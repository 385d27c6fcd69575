/** What a kind of slices has to be checked for. */
export interface SliceKind<Slice> {
  /** What one is called: `stack`. */
  noun: string;
  /** Parts that every one has. */
  parts: readonly (keyof Slice)[];
  /** Its name; no other one of the kind has it. */
  nameOf(slice: Slice): string;
}

/**
 * The slices of an index, each with every part of its interface and a name of its own. TypeScript says this of a slice that was
 * type-checked; nothing else does of one that was not.
 * @throws Error with the slice and what is missing
 */
export function checkedSlices<Slice extends object>(
  { noun, parts, nameOf }: SliceKind<Slice>,
  slices: readonly Slice[],
): readonly Slice[] {
  for (const [index, slice] of slices.entries()) {
    const missing = parts.filter((part) => slice[part] === undefined);
    if (missing.length === 0) continue;
    const name = nameOf(slice) ?? `at place ${index + 1} of the index`;
    throw new Error(`The ${noun} ${name} lacks ${missing.join(', ')}.`);
  }
  assertOnce(noun, 'name', slices.map(nameOf));
  return slices;
}

/** @throws Error with what two slices of a kind have the same of */
export function assertOnce(noun: string, what: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two ${noun}s have the ${what} ${twice}.`);
}
