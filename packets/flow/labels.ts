import { shortened, wrapped } from '../../kit/text/terminal.ts';

/** Words beside a chart that want to stand at a certain height. */
export interface Label {
  /** Middle of their first line. */
  wantedPx: number;
  lines: string[];
  /** Labels of less weight give way where there is no room for all. */
  weight: number;
}

export interface PlacedLabel<L extends Label> {
  label: L;
  /** Middle of the first line. */
  atPx: number;
}

export const LABEL_LINE_PX = 13;
const BETWEEN_PX = 3;

/** Moves labels apart until none meets another, as little as that takes, between two heights. */
export function placeLabels<L extends Label>(
  labels: readonly L[],
  [topPx, bottomPx]: readonly [number, number],
): PlacedLabel<L>[] {
  const kept = labels.toSorted((a, b) => b.weight - a.weight);
  const heightOf = (all: readonly L[]) => all.reduce((sum, each) => sum + heightPx(each), 0);
  while (kept.length > 0 && heightOf(kept) > bottomPx - topPx) kept.pop();
  const placed = kept
    .sort((a, b) => a.wantedPx - b.wantedPx)
    .map((label) => ({ label, atPx: label.wantedPx }));
  let freePx = topPx + LABEL_LINE_PX / 2;
  for (const each of placed) {
    each.atPx = Math.max(each.atPx, freePx);
    freePx = each.atPx + heightPx(each.label);
  }
  freePx = bottomPx + LABEL_LINE_PX / 2;
  for (const each of placed.toReversed()) {
    each.atPx = Math.min(each.atPx, freePx - heightPx(each.label));
    freePx = each.atPx;
  }
  return placed;
}

function heightPx({ lines }: Label): number {
  return lines.length * LABEL_LINE_PX + BETWEEN_PX;
}

/** A text in lines of so many characters; the last one ends with an ellipsis where there is more. */
export function linesOf(text: string, characters: number, mostLines: number): string[] {
  const lines = wrapped(text, characters).split('\n');
  const shown = lines.slice(0, mostLines);
  if (lines.length > mostLines) shown[mostLines - 1] += ' …';
  return shown.map((line) => shortened(line, characters));
}
