/** Names and messages come from pages and programs: nothing in them may steer the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}

/**
 * A text as sentences, broken at blanks where a terminal would break it anywhere; what has no blank stays whole.
 * @param columns of the terminal; undefined: it is written into a file
 */
export function wrapped(text: string, columns: number | undefined): string {
  if (!columns) return text;
  return text
    .split('\n')
    .flatMap((line) => linesOf(line, columns))
    .join('\n');
}

function linesOf(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && [...line].length + 1 + [...word].length <= columns) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
