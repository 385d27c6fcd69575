import * as Plot from '@observablehq/plot';
import type { ChartData, Markup } from '../page/markup.ts';
import { type Estimate, ratioText } from '../text/estimate.ts';
import { drawn, GRID, type Marks, shortName } from './canvas.ts';

export type Ends = readonly [low: number, high: number];

export interface RatioRows {
  /** Of the rows, from the top. */
  names: readonly string[];
  nameCharacters?: number;
  rowPx: number;
  domain: Ends;
  ticks: readonly number[];
  /** Width of the whole and room around the rows, in px. */
  room: { width?: number; marginTop: number; marginLeft: number; marginRight: number };
  /** Ratios within [1 / m, m] are marked by a band. */
  margin: number;
  /** Words above the axis. */
  headings?: Marks;
}

const MARGIN_BOTTOM_PX = 6;

/** Draws marks in rows with names, each at its place from the top, over one logarithmic axis of ratios. */
export function ratioRows(
  { names, nameCharacters, rowPx, domain, ticks, room, margin, headings = [] }: RatioRows,
  marks: Marks,
  ariaLabel: string,
  data: ChartData | null = null,
): Markup {
  return drawn(
    {
      ...room,
      height: room.marginTop + MARGIN_BOTTOM_PX + names.length * rowPx,
      marginBottom: MARGIN_BOTTOM_PX,
      x: { type: 'log', domain, label: null },
      y: { type: 'band', domain: names.keys(), label: null, round: false, padding: 0 },
    },
    [
      Plot.rectX([0], { x1: 1 / margin, x2: margin, fill: 'var(--band)' }),
      Plot.gridX({ ticks, ...GRID }),
      Plot.axisX({ anchor: 'top', ticks, tickFormat: ratioText, tickSize: 0, label: null }),
      Plot.ruleX([1], { stroke: 'var(--ink)' }),
      ...headings,
      Plot.axisY({
        tickSize: 0,
        tickFormat: (place: number) => shortName(names[place] ?? '', nameCharacters),
        fill: 'var(--ink)',
      }),
      ...marks,
    ],
    ariaLabel,
    data,
  );
}

/** Where the axis ends in any case, and 1 / it: a single wild interval would flatten all others. */
const FARTHEST = 6;

/** How much room there is beyond what the axis shows, as a factor. */
const ROOM = 1.03;

/** Ends of an axis that shows these ratios with their intervals, and twice the margin in any case. */
export function endsAround(ratios: readonly (Estimate | null)[], margin: number): Ends {
  const shown = ratios.flatMap((ratio) =>
    ratio ? [ratio.low ?? ratio.estimate, ratio.estimate, ratio.high ?? ratio.estimate] : [],
  );
  const low = Math.min(1 / margin ** 2, ...shown) / ROOM;
  const high = Math.max(margin ** 2, ...shown) * ROOM;
  return [Math.max(1 / FARTHEST, low), Math.min(FARTHEST, high)];
}

/** A line for each interval that has both ends, cut at the ends of the axis. */
export function intervalLines(
  rows: readonly { place: number; ratio: Estimate }[],
  [low, high]: Ends,
  options: Plot.LinkOptions,
): Plot.Markish {
  const clip = (value: number) => Math.min(high, Math.max(low, value));
  const spanned = rows.flatMap(({ place, ratio }) =>
    ratio.low === null || ratio.high === null
      ? []
      : [{ place, from: clip(ratio.low), to: clip(ratio.high) }],
  );
  return Plot.link(spanned, { x1: 'from', x2: 'to', y1: 'place', y2: 'place', ...options });
}
