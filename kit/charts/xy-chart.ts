import * as Plot from '@observablehq/plot';
import type { ChartData } from '../page/chart.ts';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour, stackDashes, stackShape } from '../page/stack.ts';
import { type Axis, type AxisText, timeAxis, zeroAxis } from './axis.ts';
import {
  CHART_WIDTH_PX,
  drawChart,
  GRID,
  INTERVAL_COLUMNS,
  LABEL_ABOVE,
  LABEL_BELOW,
  type Marks,
} from './canvas.ts';

export interface Point {
  x: number;
  /** null: a gap. */
  y: number | null;
  /** Ends of the interval; both null: no interval. */
  low?: number | null;
  high?: number | null;
  /** Unique name of the point; absent: its x. */
  name?: string;
}

/** Points of one stack, in order. */
export interface Series {
  arm: ChartStack;
  points: readonly Point[];
  /** Bars above the chart, from one x to another. */
  spans?: readonly Span[];
}

interface Span {
  from: number;
  to: number;
  title: string;
}

interface Axes {
  x: Axis;
  y: Axis;
}

/** Draws all series on these axes. */
export type Mark = (series: readonly Series[], axes: Axes) => Marks;

export interface XyChart extends Axes {
  series: readonly Series[];
  marks: readonly Mark[];
  /** Size and margins in px; absent: half the page width. */
  size?: Pick<Plot.PlotOptions, 'width' | 'height' | 'marginLeft' | 'marginRight'>;
}

const HALF_WIDTH_SIZE = { width: CHART_WIDTH_PX / 2, height: 280, marginLeft: 60, marginRight: 20 };
const MARGIN_TOP_PX = 28;

/** Distance of rows of spans, in pixels. */
const SPAN_ROW_PX = 11;

/** Scatter or line chart; each mark draws the points of all stacks. */
export function xyChart(
  { x, y, series, marks, size }: XyChart,
  ariaLabel: string,
  data: ChartData = dataOf(series, { x, y }),
): Markup {
  const spanned = series.filter(({ spans = [] }) => spans.length > 0);
  const spansPx = SPAN_ROW_PX * spanned.length;
  const { height, ...sides } = { ...HALF_WIDTH_SIZE, ...size };
  const stroke = { stroke: 'var(--ink)', strokeWidth: 1.5 };
  return drawChart(
    {
      ...sides,
      height: height + spansPx,
      marginTop: MARGIN_TOP_PX + spansPx,
      marginBottom: 38,
      x: scaleOf(x),
      y: scaleOf(y),
    },
    [
      y.band && Plot.rectY([0], { y1: y.band[0], y2: y.band[1], fill: 'var(--band)' }),
      Plot.gridY({ ticks: y.ticks as number, ...GRID }),
      Plot.axisY({ ...LABEL_ABOVE, ...ticksOf(y) }),
      Plot.axisX({
        ...LABEL_BELOW,
        ...ticksOf({ ...x, label: `${x.label}${x.scale === 'log' ? ' (logarithmic)' : ''}` }),
      }),
      x.marked !== undefined && Plot.ruleX([x.marked], stroke),
      y.marked !== undefined && Plot.ruleY([y.marked], stroke),
      ...marks.flatMap((mark) => mark(series, { x, y })),
      ...spanned.flatMap((each, row) =>
        spanMarks(each, { y: () => y.domain[1], dy: -SPAN_ROW_PX * (row + 0.7) }),
      ),
    ],
    ariaLabel,
    data,
  );
}

/** A row for each point; columns for names and intervals only if points have them. */
function dataOf(series: readonly Series[], { x, y }: Axes): ChartData {
  const has = (key: keyof Point) =>
    series.some(({ points }) => points.some((point) => point[key] != null));
  const cell = ({ factor = 1, names }: Axis, value: number | null = null) =>
    value === null ? null : (names?.[value] ?? value / factor);
  const [isNamed, hasIntervals] = [has('name'), has('low')];
  return {
    title: y.label,
    arms: series.map(({ arm }) => arm),
    columns: [
      'Stack',
      ...(isNamed ? ['Name'] : []),
      columnOf(x),
      columnOf(y),
      ...(hasIntervals ? INTERVAL_COLUMNS : []),
    ],
    rows: () =>
      series.flatMap(({ arm, points }) =>
        points.map((point) => [
          arm.label,
          ...(isNamed ? [point.name ?? null] : []),
          cell(x, point.x),
          cell(y, point.y),
          ...(hasIntervals ? [cell(y, point.low), cell(y, point.high)] : []),
        ]),
      ),
  };
}

function columnOf({ column, label }: Axis): string {
  return column ?? label;
}

function scaleOf({ scale, domain }: Axis): Plot.ScaleOptions {
  return { type: scale, domain, label: null, clamp: true };
}

function ticksOf({ ticks, tickText, label, scale }: Axis): Plot.AxisOptions {
  const tickFormat = (value: number) => tickText(value);
  // Plot drops some tick texts of logarithmic scales, unless they are explicit.
  return scale === 'log' && typeof ticks !== 'number'
    ? { ticks, text: tickFormat, label }
    : { ticks: ticks as number, tickFormat, label };
}

function stackLine(arm: ChartStack, points: Plot.Data, options: Plot.LineOptions): Plot.Markish {
  return Plot.line(points, {
    stroke: stackColour(arm),
    strokeWidth: 2,
    strokeDasharray: stackDashes(arm),
    ...options,
  });
}

function stackDots(arm: ChartStack, points: Plot.Data, options: Plot.DotOptions): Plot.Markish {
  return Plot.dot(points, {
    symbol: stackShape(arm).symbol,
    fill: stackColour(arm),
    stroke: 'var(--paper)',
    ...options,
  });
}

const AT = { x: 'x', y: ({ y }: Point) => y ?? Number.NaN };

/** A line through the points of each stack. */
export const lines: Mark = (series) =>
  series.map(({ arm, points }) => stackLine(arm, points, { ...AT, strokeLinejoin: 'round' }));

/** Horizontal offset between intervals of stacks at the same position, in pixels. */
const APART_PX = 5;

/** A symbol at each point, with its interval if it has one. */
export const symbols: Mark = (series, axes) => {
  const apartPx = series.some(({ points }) => points.some(hasInterval)) ? APART_PX : 0;
  return series.flatMap(({ arm, points }, place) => {
    const dx = apartPx * (place - (series.length - 1) / 2);
    const stroke = { stroke: stackColour(arm), strokeWidth: 1.5 };
    return [
      Plot.ruleX(points.filter(hasInterval), { x: 'x', y1: 'low', y2: 'high', dx, ...stroke }),
      stackDots(arm, points, { ...AT, dx, r: 4.5, title: titleOf(arm, axes) }),
    ];
  });
};

/** A hollow symbol at each point, for overlapping points. */
export const scatter: Mark = (series, axes) =>
  series.map(({ arm, points }) =>
    stackDots(arm, points, {
      ...AT,
      r: 4,
      stroke: stackColour(arm),
      strokeWidth: 1.6,
      fillOpacity: 0.25,
      title: titleOf(arm, axes),
    }),
  );

/** Values over the time of an attempt, both from zero; x in ms since a moment. */
export function overTime(
  series: readonly Series[],
  words: AxisText,
  { since, untilMs = 1 }: { since?: string; untilMs?: number } = {},
): XyChart {
  const all = series.flatMap(({ points }) => points);
  return {
    x: timeAxis([untilMs, ...all.map(({ x }) => x)], since),
    y: zeroAxis(
      all.flatMap(({ y }) => y ?? []),
      words,
    ),
    series,
    marks: [lines],
  };
}

/** Vertical lines at named positions. */
export const crossings =
  (places: readonly { x: number; label: string }[]): Mark =>
  () => [
    Plot.ruleX(places, { x: 'x', stroke: 'var(--quiet)', strokeDasharray: '2 4', title: 'label' }),
  ];

export function hasInterval({ low, high }: Point): boolean {
  return low != null && high != null;
}

/** Text of a point: stack and both values. */
function titleOf({ label }: ChartStack, { x, y }: Axes): (point: Point) => string {
  return (point) => {
    const numbers = `${valueText(x, point.x)}, ${valueText(y, point.y ?? Number.NaN)}`;
    return `${point.name === undefined ? '' : `${point.name}, `}${label}: ${numbers}`;
  };
}

/** Value of an axis with its unit. */
export function valueText({ text, tickText }: Axis, value: number): string {
  return (text ?? tickText)(value);
}

/** Spans of a stack, each starting with the stack's shape. */
function spanMarks({ arm, spans = [] }: Series, place: { y: () => number; dy: number }): Marks {
  const stroke = { stroke: stackColour(arm), strokeWidth: 5 };
  return [
    Plot.ruleY(spans, { ...place, x1: 'from', x2: 'to', ...stroke }),
    stackDots(arm, spans, { ...place, x: 'from', r: 4, stroke: 'none', title: 'title' }),
  ];
}
