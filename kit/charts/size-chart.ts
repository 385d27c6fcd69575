import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import type { ChartStack } from '../page/stack.ts';
import { sizeText } from '../text/number.ts';
import { CHART_WIDTH_PX, drawn, extentOf, GRID, LABEL_ABOVE, LABEL_BELOW } from './canvas.ts';
import { roundTicks } from './distribution-chart.ts';
import { crossingLines, measuredLines } from './stack-marks.ts';

interface SizedStack {
  arm: ChartStack;
  points: readonly SizedPoint[];
}

/** A size with its number; both are above 0. Ends of the interval are both null where there is none. */
export interface SizedPoint {
  bytes: number;
  value: number;
  low: number | null;
  high: number | null;
}

interface SizeCrossing {
  bytes: number;
  label: string;
}

export interface ValueAxis {
  label: string;
  /** A number as it stands at a tick, and beside a sign. */
  tickText(value: number): string;
  text(value: number): string;
}

/** How much of the axis the text of a size takes. */
const MOST_TEXT_SHARE = 0.12;

/** Numbers by size, both logarithmic: a line for each stack, signs with their intervals, crossings as upright lines. */
export function sizeChart(
  stacks: readonly SizedStack[],
  crossings: readonly SizeCrossing[],
  axis: ValueAxis,
  ariaLabel: string,
): Markup {
  const all = stacks.flatMap(({ points }) => points);
  const [smallest, largest] = extentOf(all.map(({ bytes }) => bytes));
  const [least, most] = extentOf(
    all.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]),
  );
  const ticks = roundTicks(least, most);
  const room = Math.max(1.01, (most / least) ** 0.06);
  return drawn(
    {
      width: CHART_WIDTH_PX / 2,
      height: 320,
      marginTop: 28,
      marginBottom: 40,
      marginLeft: 60,
      marginRight: 20,
      x: { type: 'log', domain: [smallest / 1.2, largest * 1.2], label: null },
      y: { type: 'log', domain: [least / room, most * room], label: null },
    },
    [
      Plot.gridY({ ticks, ...GRID }),
      // Texts of their own: of a logarithmic scale's the library leaves out some.
      Plot.axisY(ticks, { ...LABEL_ABOVE, text: axis.tickText, label: axis.label }),
      Plot.axisX(apart(all.map(({ bytes }) => bytes)), {
        ...LABEL_BELOW,
        text: sizeText,
        label: 'Size',
      }),
      crossingLines(crossings, 'bytes'),
      ...measuredLines(
        stacks,
        { x: 'bytes', y: 'value' },
        ({ bytes, value }) => `${sizeText(bytes)}: ${axis.text(value)}`,
      ),
    ],
    ariaLabel,
  );
}

/** Rising values, without those that leave no room for their text on the axis. */
function apart(values: readonly number[]): number[] {
  const [smallest, largest] = extentOf(values);
  const least = (largest / smallest) ** MOST_TEXT_SHARE;
  const kept: number[] = [];
  for (const value of values.toSorted((a, b) => a - b)) {
    if (value >= (kept.at(-1) ?? 0) * least && !kept.includes(value)) kept.push(value);
  }
  return kept;
}
