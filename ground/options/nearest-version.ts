/** The versions nearest to one, in ascending order; versions with more than numbers and dots are skipped. */
export function versionsNear(version: string, known: readonly string[], most: number): string[] {
  const released = [...new Set(known)].filter((each) => /^\d+(\.\d+)*$/.test(each)).sort(compare);
  const at = released.findIndex((each) => compare(each, version) >= 0);
  const place = at < 0 ? released.length : at;
  const first = Math.max(0, Math.min(place - Math.floor(most / 2), released.length - most));
  return released.slice(first, first + most);
}

function compare(a: string, b: string): number {
  const [ours, theirs] = [a, b].map((each) => each.split('.').map(Number.parseFloat));
  for (let at = 0; at < Math.max(ours?.length ?? 0, theirs?.length ?? 0); at++) {
    const difference = (ours?.[at] ?? 0) - (theirs?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
