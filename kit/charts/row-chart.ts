import * as Plot from '@observablehq/plot';
import type { ChartData } from '../page/chart.ts';
import type { Markup } from '../page/markup.ts';
import type { Estimate } from '../text/estimate.ts';
import type { Axis, AxisDomain } from './axis.ts';
import { CHART_WIDTH_PX, drawChart, GRID, type Marks, shortName } from './canvas.ts';

/** Named rows over one axis, with texts at the right. */
interface RowChart<Row> {
  rows: readonly Row[];
  rowPx: number;
  x: Axis;
  /** Words above the axis' ends. */
  above?: readonly [left: string, right: string];
  columns?: readonly Column<Row>[];
  layout?: RowLayout;
  belowPx?: number;
}

export interface Column<Row> {
  heading?: string;
  text(row: Row): string;
  fill?(row: Row): string;
}

interface RowLayout {
  widthPx: number;
  marginLeftPx: number;
  nameCharacters: number;
  /** Name and first text stand above the row, as on a phone. */
  isStacked?: boolean;
}

const WIDE: RowLayout = { widthPx: CHART_WIDTH_PX, marginLeftPx: 210, nameCharacters: 28 };

/** A value in its row. */
export interface RowMark {
  /** Number of the row from the top, from 0; fractions lie between rows. */
  place: number;
  estimate: Estimate;
  colour: string;
  symbol?: Plot.SymbolType;
  /** Default: 1; 0: only an outline. */
  fillOpacity?: number;
  title?: string;
}

/** Width of digits and signs in the chart's font, which cannot be measured here; most letters are narrower. */
const CHARACTER_PX = 7.2;
const COLUMN_GAP_PX = 14;

const HEADING = { dy: -34, fill: 'var(--quiet)' } as const;

export function rowChart<Row extends { name: string }>(
  { rows, rowPx, x, above, columns = [], layout = WIDE, belowPx = 8 }: RowChart<Row>,
  marks: Marks,
  ariaLabel: string,
  data: ChartData | null = null,
): Markup {
  const { widthPx, marginLeftPx, nameCharacters, isStacked } = layout;
  const placed = placedColumns(isStacked ? [] : columns, rows);
  const marginTop = above ? 48 : 24;
  const ticks = x.ticks as number;
  const texts = (text: (row: Row) => string, options: Plot.TextOptions) =>
    Plot.text(rows, { y: (_: Row, place: number) => place, text, fill: 'var(--ink)', ...options });
  const nameOf = ({ name }: Row) => shortName(name, nameCharacters);
  const aboveRow = { dy: 8 - rowPx / 2 };
  return drawChart(
    {
      width: widthPx,
      height: marginTop + belowPx + rows.length * rowPx,
      marginTop,
      marginBottom: belowPx,
      marginLeft: marginLeftPx,
      marginRight: isStacked ? marginLeftPx : Math.max(24, placed.widthPx),
      x: { type: x.scale, domain: x.domain, clamp: true, label: null },
      y: { domain: [rows.length - 0.5, -0.5], axis: null },
    },
    [
      x.band && Plot.rectX([0], { x1: x.band[0], x2: x.band[1], fill: 'var(--band)' }),
      Plot.gridX({ ticks, ...GRID }),
      Plot.axisX({ anchor: 'top', ticks, tickFormat: x.tickText, tickSize: 0, label: null }),
      x.marked !== undefined &&
        Plot.ruleX([x.marked], { stroke: 'var(--ink)', strokeWidth: x.band ? 1 : 1.5 }),
      above && Plot.text([above[0]], { ...HEADING, frameAnchor: 'top-left' }),
      above && Plot.text([above[1]], { ...HEADING, frameAnchor: 'top-right' }),
      isStacked
        ? texts(nameOf, { ...aboveRow, frameAnchor: 'left' })
        : texts(nameOf, { frameAnchor: 'left', textAnchor: 'end', dx: -9 }),
      ...marks,
      isStacked && columns[0] && texts(columns[0].text, { ...aboveRow, frameAnchor: 'right' }),
      ...placed.columns.flatMap(({ heading = '', text, fill, dx }) => {
        const options = { textAnchor: 'start', dx } as const;
        return [
          Plot.text([heading], { ...HEADING, ...options, frameAnchor: 'top-right' }),
          texts(text, { ...options, frameAnchor: 'right', ...(fill && { fill }) }),
        ];
      }),
    ],
    ariaLabel,
    data,
  );
}

/** Columns with their offsets from the end of the axis, as wide as their longest text, and their total width. */
function placedColumns<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  let widthPx = 0;
  const placed = columns.map((column) => {
    const dx = widthPx + COLUMN_GAP_PX;
    const lengths = [column.heading ?? '', ...rows.map(column.text)].map(({ length }) => length);
    widthPx = dx + Math.ceil(Math.max(...lengths) * CHARACTER_PX);
    return { ...column, dx };
  });
  return { columns: placed, widthPx };
}

/** Lines for intervals; a missing limit lies beyond the axis. */
export function intervalMarks(marks: readonly RowMark[], ends: AxisDomain): Marks {
  return [
    Plot.link(marks.filter(hasInterval), {
      x1: ({ estimate }: RowMark) => estimate.low ?? ends[0],
      x2: ({ estimate }: RowMark) => estimate.high ?? ends[1],
      y: 'place',
      stroke: 'colour',
      strokeWidth: 2,
    }),
    ...arrowMarks(marks, ends),
  ];
}

/** Arrows at the ends of the axis for intervals that continue beyond. */
export function arrowMarks(marks: readonly RowMark[], [least, most]: AxisDomain): Marks {
  const at = (x: number, sign: '←' | '→', isBeyond: (estimate: Estimate) => boolean) =>
    Plot.text(
      marks.filter((mark) => hasInterval(mark) && isBeyond(mark.estimate)),
      {
        x,
        y: 'place',
        text: () => sign,
        textAnchor: sign === '←' ? 'start' : 'end',
        fontSize: 15,
        fill: 'colour',
      },
    );
  return [
    at(least, '←', ({ low }) => low === null || low < least),
    at(most, '→', ({ high }) => high === null || high > most),
  ];
}

function hasInterval({ estimate: { low, high } }: RowMark): boolean {
  return low !== null || high !== null;
}

/** Symbols at the estimates within the axis. */
export function symbolMarks(marks: readonly RowMark[], [least, most]: AxisDomain): Plot.Markish {
  return Plot.dot(
    marks.filter(({ estimate: { estimate } }) => estimate >= least && estimate <= most),
    {
      x: estimateOf,
      y: 'place',
      r: 5,
      symbol: 'symbol',
      fill: ({ fillOpacity, colour }: RowMark) => (fillOpacity === 0 ? 'var(--paper)' : colour),
      stroke: 'colour',
      title: 'title',
    },
  );
}

/** Bars from zero to the estimates. */
export function barMarks(marks: readonly RowMark[], height = 0.7): Plot.Markish {
  return Plot.rect(marks, {
    x1: 0,
    x2: estimateOf,
    y1: ({ place }: RowMark) => place - height / 2,
    y2: ({ place }: RowMark) => place + height / 2,
    fill: 'colour',
    fillOpacity: ({ fillOpacity = 1 }: RowMark) => fillOpacity,
    stroke: 'colour',
    title: 'title',
  });
}

/** A diamond as wide as its interval. */
export function diamondMark(
  { place, estimate: { estimate, low, high }, colour, title }: RowMark,
  ends: AxisDomain,
  height: number,
): Plot.Markish {
  const [least, most] = low === null && high === null ? [estimate / 1.01, estimate * 1.01] : ends;
  const corners = [
    [low ?? least, place],
    [estimate, place - height / 2],
    [high ?? most, place],
    [estimate, place + height / 2],
  ];
  const options = { curve: 'linear-closed', fill: colour, stroke: colour } as const;
  return Plot.line(corners, { ...options, title: () => title });
}

function estimateOf({ estimate }: RowMark): number {
  return estimate.estimate;
}
