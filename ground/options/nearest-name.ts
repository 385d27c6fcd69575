/** A sentence that suggests the known name nearest to an unknown one; empty: no name is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const most = Math.max(1, Math.floor(word.length / 3));
  const [nearest] = [...known]
    .map((name) => ({ name, slips: slipsBetween(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ slips }) => slips <= most)
    .sort((a, b) => a.slips - b.slips);
  return nearest ? ` Did you mean ${nearest.name}?` : '';
}

/** Number of insertions, deletions, replacements and swaps of neighbours (optimal string alignment distance). */
function slipsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  let twoAbove = above;
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwapped ? (twoAbove[column - 2] ?? 0) + 1 : replaced;
      const changed = Math.min((above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1);
      line.push(Math.min(replaced, swapped, changed));
    }
    [twoAbove, above] = [above, line];
  }
  return above[b.length] ?? 0;
}
