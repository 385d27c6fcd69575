/** A sentence with the known name that was probably meant, to stand behind one that is not known; empty where none is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const most = Math.max(1, Math.floor(word.length / 3));
  const [nearest] = [...known]
    .map((name) => ({ name, slips: slipsBetween(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ slips }) => slips <= most)
    .sort((a, b) => a.slips - b.slips);
  return nearest ? ` Did you mean ${nearest.name}?` : '';
}

/** Levenshtein's distance: how many characters have to be added, left out or replaced. */
function slipsBetween(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const line = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above[b.length] ?? 0;
}
