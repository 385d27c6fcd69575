import { isIn, type Slice } from './kinds.ts';

/** Rounds in which each slice is removed once: at most one of a kind in a round, and none together with one that it is in. */
export function roundsOf(slices: readonly Slice[]): Slice[][] {
  const rounds: Slice[][] = [];
  for (const slice of slices) {
    const fits = (round: readonly Slice[]) =>
      round.every(
        (other) =>
          other.kind !== slice.kind &&
          !isIn(other, `${slice.folder}/`) &&
          !isIn(slice, `${other.folder}/`),
      );
    const round = rounds.find(fits);
    if (round) round.push(slice);
    else rounds.push([slice]);
  }
  return rounds;
}

/** Without those that go with another one, in whose folder they are. */
export function outermost(slices: readonly Slice[]): Slice[] {
  return slices.filter(
    ({ folder }) => !slices.some((other) => other.folder !== folder && isIn(other, `${folder}/`)),
  );
}
