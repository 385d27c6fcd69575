import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour } from '../page/stack.ts';
import { decimalText } from '../text/number.ts';
import { CHART_WIDTH_PX, drawn, GRID, LABEL_ABOVE, LABEL_BELOW } from './canvas.ts';
import { stackDots, stackLine } from './stack-marks.ts';

export interface Series {
  arm: ChartStack;
  /** In their order; null values leave a gap. */
  points: readonly { atMs: number; value: number | null }[];
  /** Marked above the lines: each stack has a row of its own for them. */
  spans?: readonly { fromMs: number; untilMs: number; title: string }[];
}

interface SeriesAxes {
  label: string;
  tickText?: (value: number) => string;
  /** What the time is counted from. */
  since?: string;
  /** To where the time goes; absent: to the last point. */
  untilMs?: number;
}

/** How far apart the rows of spans are, in pixels. */
const SPAN_ROW_PX = 11;

/** Numbers over the time of an attempt, from zero: one line for each stack. Half the width of the other charts. */
export function seriesChart(
  series: readonly Series[],
  { label, tickText = decimalText, since = 'it was asked for', untilMs = 1 }: SeriesAxes,
  ariaLabel: string,
): Markup {
  const all = series.flatMap(({ points }) => points);
  const longestMs = Math.max(untilMs, ...all.map(({ atMs }) => atMs));
  const spanned = series.filter(({ spans = [] }) => spans.length > 0);
  const spansPx = SPAN_ROW_PX * spanned.length;
  const most = Math.max(0, ...all.map(({ value }) => value ?? 0));
  const top = most === 0 ? 1 : most * 1.04;
  const inSeconds = longestMs >= 5000;
  return drawn(
    {
      width: CHART_WIDTH_PX / 2,
      height: 250 + spansPx,
      marginTop: 28 + spansPx,
      marginBottom: 38,
      marginLeft: 56,
      marginRight: 16,
      x: { domain: [0, longestMs], label: null },
      y: { domain: [0, top], label: null },
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
        label: `Time since ${since}, in ${inSeconds ? 's' : 'ms'}`,
      }),
      ...series.map(({ arm, points }) =>
        stackLine(arm, points, {
          x: 'atMs',
          // Plot leaves a gap where a number is missing.
          y: ({ value }: Series['points'][number]) => value ?? Number.NaN,
          strokeLinejoin: 'round',
        }),
      ),
      ...spanned.flatMap((each, row) =>
        spanMarks(each, { y: top, dy: -SPAN_ROW_PX * (row + 0.7) }),
      ),
    ],
    ariaLabel,
  );
}

/** The spans of a stack as bars above the frame, each with the stack's shape where it begins. */
function spanMarks({ arm, spans = [] }: Series, { y, dy }: { y: number; dy: number }) {
  const place = { y: () => y, dy };
  return [
    Plot.ruleY(spans, {
      ...place,
      x1: 'fromMs',
      x2: 'untilMs',
      stroke: stackColour(arm),
      strokeWidth: 5,
    }),
    stackDots(arm, spans, { ...place, x: 'fromMs', r: 4, stroke: 'none', title: 'title' }),
  ];
}
