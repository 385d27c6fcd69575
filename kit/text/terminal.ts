import type { Unit } from '../../ground/unit.ts';
import type { Estimate } from './estimate.ts';

/** Shortens a text to a maximum of characters, at its end. */
export function shorten(text: string, mostCharacters: number): string {
  const characters = [...text];
  return characters.length <= mostCharacters
    ? text
    : `${characters.slice(0, mostCharacters - 1).join('')}…`;
}

/**
 * Breaks a text at blanks to the width of a terminal; longer words stay whole.
 * @param columns width of the terminal; undefined: output to a file
 */
export function wrapText(text: string, columns: number | undefined): string {
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

/**
 * Lines in columns as wide as their longest cell.
 * @param paddedAt alignment of each column
 */
export function alignColumns(
  lines: readonly (readonly string[])[],
  paddedAt: readonly ('start' | 'end')[],
): string {
  const columns = paddedAt.map((side, column) => ({
    side,
    width: Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
  }));
  return lines
    .map((line) =>
      columns
        .map(({ side, width }, column) => {
          const text = line[column] ?? '';
          const blanks = ' '.repeat(width - [...text].length);
          return side === 'start' ? blanks + text : text + blanks;
        })
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

/** Width of a bar; odd, so that 1 has its own column. */
const COLUMNS = 41;

/** Maximum ratio of a scale: one wide interval would flatten the rest. */
const MOST = 4;

/** Limit of a logarithmic scale centred at 1 that shows all rows: the largest ratio or inverse of the smallest. */
export function ratioBarLimit(ratios: readonly (Estimate | null)[], marginPercent: number): number {
  const ends = ratios.flatMap((ratio) =>
    ratio ? [ratio.low ?? ratio.estimate, ratio.estimate, ratio.high ?? ratio.estimate] : [],
  );
  const least = (1 + marginPercent / 100) ** 2;
  return Math.min(MOST, Math.max(least, ...ends.map((end) => Math.max(end, 1 / end))));
}

/** A ratio with its interval as characters: `·····├──●──┤····│·········`; beyond the scale it ends in an arrow. */
export function ratioBar(ratio: Estimate | null, most: number): string {
  const middle = (COLUMNS - 1) / 2;
  const columnOf = (value: number) => middle + (middle * Math.log(value)) / Math.log(most);
  const cells: string[] = Array.from({ length: COLUMNS }, (_, column) =>
    column === middle ? '│' : ' ',
  );
  if (ratio === null) return cells.join('');
  const clip = (column: number) => Math.max(0, Math.min(COLUMNS - 1, Math.round(column)));
  const { estimate, low, high } = ratio;
  if (low !== null || high !== null) {
    const from = low === null ? -1 : columnOf(low);
    const to = high === null ? COLUMNS : columnOf(high);
    for (let column = clip(from); column <= clip(to); column++) {
      cells[column] = column === middle ? '┼' : '─';
    }
    if (from < -0.5) cells[0] = '◄';
    if (to > COLUMNS - 0.5) cells[COLUMNS - 1] = '►';
  }
  cells[clip(columnOf(estimate))] = '●';
  return cells.join('');
}

export function ratioBarSides(unit: Unit): string {
  const what = unit === 'ms' ? ' time' : '';
  const half = (COLUMNS - 1) / 2;
  return `${`◄ less${what}`.padEnd(half)}1${`more${what} ►`.padStart(half)}`;
}
