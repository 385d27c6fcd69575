import * as Plot from '@observablehq/plot';
import type { ChartData } from '../page/chart.ts';
import type { Markup } from '../page/markup.ts';
import { type Estimate, ratioText } from '../text/estimate.ts';
import type { Marks } from './canvas.ts';
import { type RowChart, rowChart } from './row-chart.ts';

export type Ends = readonly [low: number, high: number];

export interface RatioRows extends Omit<RowChart, 'x' | 'belowPx'> {
  domain: Ends;
  ticks: readonly number[];
  /** Ratios within [1 / m, m] are marked by a band. */
  margin: number;
}

/** Draws rows over one logarithmic axis of ratios, with 1 marked. */
export function ratioRows(
  { domain, ticks, margin, ...rows }: RatioRows,
  marks: Marks,
  ariaLabel: string,
  data: ChartData | null = null,
): Markup {
  const band = [1 / margin, margin] as const;
  const x = { scale: 'log', domain, ticks, tickText: ratioText, marked: 1, band } as const;
  return rowChart({ ...rows, x }, marks, ariaLabel, data);
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
