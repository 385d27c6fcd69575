import { isIn, type Slice } from './kinds.ts';

/** Two halves of the slices, each with half of every kind. */
export function halvesOf(slices: readonly Slice[]): [Slice[], Slice[]] {
  const halves: [Slice[], Slice[]] = [[], []];
  for (const ofKind of Map.groupBy(slices, ({ kind }) => kind).values()) {
    for (const [index, slice] of ofKind.entries()) halves[index % 2 === 0 ? 0 : 1].push(slice);
  }
  return halves;
}

/** Without nested ones, which go with the slice around them. */
export function outermost(slices: readonly Slice[]): Slice[] {
  return slices.filter(
    ({ folder }) => !slices.some((other) => other.folder !== folder && isIn(other, `${folder}/`)),
  );
}
