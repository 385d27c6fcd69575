import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour, stackDashes } from '../page/stack.ts';
import { decimalText } from '../text/number.ts';
import { CHART_WIDTH_PX, drawn, GRID, LABEL_ABOVE, LABEL_BELOW } from './canvas.ts';

/** What one stack's attempt did over time. */
export interface Series {
  arm: ChartStack;
  /** In their order; null values leave a gap. */
  points: readonly { atMs: number; value: number | null }[];
}

/** Numbers over the time of an attempt, from zero: one line for each stack. Half the width of the other charts. */
export function seriesChart(
  series: readonly Series[],
  { label, tickText = decimalText }: { label: string; tickText?: (value: number) => string },
  ariaLabel: string,
): Markup {
  const all = series.flatMap(({ points }) => points);
  const longestMs = Math.max(1, ...all.map(({ atMs }) => atMs));
  const most = Math.max(0, ...all.map(({ value }) => value ?? 0));
  const inSeconds = longestMs >= 5000;
  return drawn(
    {
      width: CHART_WIDTH_PX / 2,
      height: 250,
      marginTop: 28,
      marginBottom: 38,
      marginLeft: 56,
      marginRight: 16,
      x: { domain: [0, longestMs], label: null },
      y: { domain: [0, most === 0 ? 1 : most * 1.04], label: null },
    },
    [
      Plot.gridY({ ticks: 5, ...GRID }),
      Plot.axisY({
        ...LABEL_ABOVE,
        ticks: 5,
        tickFormat: (value: number) => tickText(value),
        label,
      }),
      Plot.axisX({
        ...LABEL_BELOW,
        ticks: 6,
        tickFormat: (atMs: number) => decimalText(inSeconds ? atMs / 1000 : atMs),
        label: `Time since it was asked for, in ${inSeconds ? 's' : 'ms'}`,
      }),
      ...series.map(({ arm, points }) =>
        Plot.line(points, {
          x: 'atMs',
          // Plot leaves a gap where a number is missing.
          y: ({ value }: Series['points'][number]) => value ?? Number.NaN,
          stroke: stackColour(arm),
          strokeWidth: 2,
          strokeDasharray: stackDashes(arm),
          strokeLinejoin: 'round',
        }),
      ),
    ],
    ariaLabel,
  );
}
