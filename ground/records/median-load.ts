/** The median load by value, where larger is worse; of two medians the better one, so that it is a real load. null: no loads. */
export function medianLoad<Timed extends { value: number }>(loads: readonly Timed[]): Timed | null {
  const sorted = loads.toSorted((a, b) => a.value - b.value);
  return sorted.at(Math.floor((sorted.length - 1) / 2)) ?? null;
}
