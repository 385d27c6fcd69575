/**
 * The load in the middle by a number, the larger the worse; of two in the middle the better one: a load that was made, not a mean of
 * two. Null without loads.
 */
export function medianLoad<Timed extends { value: number }>(loads: readonly Timed[]): Timed | null {
  const sorted = loads.toSorted((a, b) => a.value - b.value);
  return sorted.at(Math.floor((sorted.length - 1) / 2)) ?? null;
}
