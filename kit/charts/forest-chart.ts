import * as Plot from '@observablehq/plot';
import { verdictColour } from '../page/estimate.ts';
import { html, type Markup, scrolling, trusted } from '../page/markup.ts';
import { type Estimate, estimateText, ratioText, signed } from '../text/estimate.ts';
import type { Direction } from '../text/ratio-words.ts';
import { type AxisUnit, axisUnit, type Measured, shortAxisText } from '../text/value.ts';
import { sideOf, type Verdict, verdictWord } from '../text/verdict.ts';
import { estimateFields, type Marks, rowTexts, shape, shortName } from './canvas.ts';
import {
  arrowMarks,
  intervalMarks,
  type PlacedInterval,
  placedIntervals,
} from './interval-marks.ts';
import { type Ends, endsAround, type RatioRows, ratioRows } from './ratio-rows.ts';

export interface ForestRow {
  name: string;
  /** The stack's number divided by the baseline's; null: nothing to show but the verdict. */
  ratio: Estimate | null;
  /** The same as a difference in the metric's unit. */
  difference: Estimate | null;
  verdict: Verdict;
}

export interface Forest {
  stackLabel: string;
  baselineLabel: string;
  metric: Measured & Direction;
  /** What the rows are called: `sites`. */
  sites: string;
  rows: readonly ForestRow[];
  /** Over all sites, as a diamond below; null: there is none. */
  pooled: ForestRow | null;
  /** Ratios within [1 / (1 + m), 1 + m] count as the same. */
  marginPercent: number;
}

export interface ForestOptions {
  /** Left out: as wide as a page, with verdicts in words. beside: next to text; phone: each name and number above its row. */
  size?: 'beside' | 'phone';
  /** All sites on one line, by their signs alone. */
  gathered?: boolean;
  /** Ratios of other charts that are to have the same axis. */
  besides?: readonly (Estimate | null)[];
}

type Placed = ForestRow & { place: number; ratio: Estimate };

interface Layout {
  room: Omit<RatioRows['room'], 'marginRight'>;
  rowPx: number;
  nameCharacters: number;
  /** What stands right of the axis; none: ratios stand above the rows. */
  columns: 'all' | 'ratio' | 'none';
  ticks: readonly (readonly number[])[];
}

const WIDE: Layout = {
  room: { marginTop: 58, marginLeft: 210 },
  rowPx: 23,
  nameCharacters: 28,
  columns: 'all',
  ticks: [
    [0.9, 0.95, 1, 1.05, 1.1],
    [0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3],
    [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.6, 1.8, 2],
    [0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5],
  ],
};

const BESIDE: Layout = {
  room: { width: 520, marginTop: 48, marginLeft: 156 },
  rowPx: 23,
  nameCharacters: 20,
  columns: 'ratio',
  ticks: [
    [0.9, 0.95, 1, 1.05, 1.1],
    [0.8, 0.9, 1, 1.1, 1.2],
    [0.5, 0.65, 0.8, 1, 1.25, 1.5, 2],
    [0.2, 0.5, 1, 2, 5],
  ],
};

const PHONE: Layout = {
  ...BESIDE,
  room: { width: 320, marginTop: 48, marginLeft: 8 },
  rowPx: 42,
  nameCharacters: 24,
  columns: 'none',
};

const LAYOUTS = { beside: BESIDE, phone: PHONE };

/** Of the chart's font, which is not there to be measured: digits are as wide as this, most letters less. */
const CHARACTER_PX = 6.8;
const COLUMN_GAP_PX = 14;

/** Ratios with their intervals, a row for each site, on one logarithmic axis; the margin as a band. */
export function forestChart(
  forest: Forest,
  ariaLabel: string,
  { size, gathered = false, besides = [] }: ForestOptions = {},
): Markup {
  const { rows, pooled, marginPercent, metric } = forest;
  const layout = size ? LAYOUTS[size] : WIDE;
  const { rowPx, room, nameCharacters } = layout;
  const hasColumns = layout.columns !== 'none';
  const margin = 1 + marginPercent / 100;
  const numbered = pooled ? [...rows, pooled] : rows;
  const differences = axisUnit(
    metric.unit,
    Math.max(0, ...numbered.map(({ difference }) => Math.abs(difference?.estimate ?? 0))),
  );
  const ratios = numbered.map(({ ratio }) => ratio);
  const [low, high] = endsAround([...ratios, ...besides], margin);
  const lines = gathered ? [lineOfSigns(forest)] : rows;
  const all = pooled ? [...lines, pooled] : lines;
  const subjects = rows.flatMap((row, index) => placed(row, gathered ? 0 : index));
  const together = pooled ? placed(pooled, lines.length) : [];
  const clip = (value: number) => Math.min(high, Math.max(low, value));
  const columns = columnsOf(forest, differences, layout);
  // The line of signs has no numbers of its own.
  const withNumbers = all.slice(gathered ? 1 : 0);
  const placedColumns = placedBeside(columns, withNumbers);
  return ratioRows(
    {
      names: all.map(({ name }) => (hasColumns ? name : '')),
      nameCharacters,
      rowPx,
      domain: [low, high],
      ticks: ticksOf(low, high, layout),
      room: { ...room, marginRight: hasColumns ? placedColumns.widthPx : room.marginLeft },
      margin,
      headings: [
        ...sides(forest, layout),
        ...(hasColumns ? placedColumns.columns.map(headingAt) : []),
      ],
    },
    [
      ...(gathered ? [] : intervalMarks(intervalsOf(subjects), [low, high])),
      ...symbols(
        subjects.filter(({ ratio }) => ratio.estimate >= low && ratio.estimate <= high),
        forest.metric,
      ),
      pooled && Plot.ruleY([lines.length], { stroke: 'var(--line)', dy: -rowPx / 2 }),
      ...together.map((row) => diamond(row, forest.metric, { ends: [low, high], clip, rowPx })),
      ...arrowMarks(intervalsOf(together), [low, high]),
      ...(hasColumns
        ? placedColumns.columns.map(({ text, dx, fill }) =>
            rowTexts(withNumbers, dx, text, fill, gathered ? 1 : 0),
          )
        : textsAbove(all, columns[0], layout)),
    ],
    ariaLabel,
    {
      columns: [
        ...['Name', 'Ratio', 'Ratio, from', 'Ratio, to'],
        `Difference${axisUnit(metric.unit, 0).phrase}`,
        ...['Difference, from', 'Difference, to', 'Verdict'],
      ],
      rows: () =>
        numbered.map(({ name, ratio, difference, verdict }) => [
          name,
          ...estimateFields(ratio),
          ...estimateFields(difference),
          verdict,
        ]),
    },
  );
}

/** The chart next to text, and above the text's next lines where there is no room beside it, as on a phone. */
export function forestBeside(
  name: string,
  forest: Forest,
  ariaLabel: string,
  options: Omit<ForestOptions, 'size'>,
): Markup {
  const chart = (size: 'beside' | 'phone') => forestChart(forest, ariaLabel, { ...options, size });
  // Of the two drawings one is the chart.
  const again = trusted(chart('phone').text);
  return html`<div class="wide">${scrolling(`Chart: ${name}`, chart('beside'))}</div><div class="narrow">${again}</div>`;
}

function placed(row: ForestRow, place: number): Placed[] {
  return row.ratio ? [{ ...row, place, ratio: row.ratio }] : [];
}

function intervalsOf(rows: readonly Placed[]): PlacedInterval[] {
  return placedIntervals(
    rows.map((row) => ({ ...row, estimate: row.ratio })),
    0,
  );
}

function lineOfSigns({ rows: { length }, sites }: Forest): ForestRow {
  return {
    name: `each of ${length} ${sites}`,
    ratio: null,
    difference: null,
    verdict: 'cannot tell',
  };
}

/** A column of texts right of the axis. */
interface Column {
  heading: string;
  text(row: ForestRow): string;
  fill?(row: ForestRow): string;
}

function columnsOf(
  { baselineLabel, metric }: Forest,
  differences: AxisUnit,
  { columns }: Layout,
): [ratio: Column, ...others: Column[]] {
  const hasAll = columns === 'all';
  const word = ({ verdict }: ForestRow) => verdictWord(verdict, metric);
  const differenceText = (value: number) =>
    signed(value, (size) => shortAxisText(size, metric.unit, differences));
  return [
    {
      heading: hasAll ? `ratio to ${shortName(baselineLabel, 16)}` : 'ratio',
      // Failures may leave no ratio and still decide.
      text: (row) =>
        estimateText(row.ratio, ratioText) ?? (hasAll ? '–' : `no ratio, ${word(row)}`),
    },
    ...(hasAll
      ? [
          {
            heading: `difference${differences.phrase}`,
            text: ({ difference }: ForestRow) => estimateText(difference, differenceText) ?? '',
          },
          { heading: '', text: word, fill: ({ verdict }: ForestRow) => verdictColour(verdict) },
        ]
      : []),
  ];
}

/** The columns with where they begin, from the axis' end, as wide as their longest text, and how wide they are together. */
function placedBeside(columns: readonly Column[], rows: readonly ForestRow[]) {
  let widthPx = 0;
  const placedColumns = columns.map((column) => {
    const dx = widthPx + COLUMN_GAP_PX;
    const lengths = [column.heading, ...rows.map(column.text)].map(({ length }) => length);
    widthPx = dx + Math.ceil(Math.max(...lengths) * CHARACTER_PX);
    return { ...column, dx };
  });
  return { columns: placedColumns, widthPx };
}

const HEADING_DY_PX = -34;

function heading(words: string, options: Plot.TextOptions) {
  return Plot.text([words], {
    frameAnchor: 'top-right',
    dy: HEADING_DY_PX,
    fill: 'var(--quiet)',
    ...options,
  });
}

function headingAt({ heading: words, dx }: Column & { dx: number }) {
  return heading(words, { textAnchor: 'start', dx });
}

/** Which way is which, in words above the axis. */
function sides({ stackLabel, metric }: Forest, layout: Layout): Marks {
  const [less, more] = sidesOf(metric, layout === WIDE ? shortName(stackLabel, 20) : null);
  return [heading(`◄ ${less}`, { frameAnchor: 'top-left' }), heading(`${more} ►`, {})];
}

/** The name and the number of each row above it. */
function textsAbove(
  all: readonly ForestRow[],
  { text }: Column,
  { rowPx, nameCharacters }: Layout,
): Marks {
  const place = { y: (_: ForestRow, index: number) => index, dy: 8 - rowPx / 2 };
  return [
    Plot.text(all, {
      ...place,
      frameAnchor: 'left',
      text: ({ name }) => shortName(name, nameCharacters),
      fill: 'var(--ink)',
    }),
    Plot.text(all, {
      ...place,
      frameAnchor: 'right',
      text: (row) => (row.ratio === null && row.verdict === 'cannot tell' ? '' : text(row)),
      fill: 'var(--ink)',
    }),
  ];
}

/** What lies on either side of 1, of a stack where there is room for its name. */
function sidesOf(
  { unit, phrase }: Forest['metric'],
  stackLabel: string | null,
): [below: string, above: string] {
  const of = (side: string) => (stackLabel === null ? side : `${stackLabel} ${side}`);
  if (unit === 'ms') {
    const takes = stackLabel === null ? '' : 'takes ';
    return [of(`${takes}less time`), of(`${takes}more time`)];
  }
  return stackLabel === null
    ? ['lower', 'higher']
    : [of(`has the lower ${phrase}`), of(`has the higher ${phrase}`)];
}

/** A symbol for each verdict that occurs; one mark for each, since shapes are drawn one kind at a time. */
function symbols(rows: readonly Placed[], metric: Forest['metric']): Marks {
  return [...Map.groupBy(rows, ({ verdict }) => verdict)].map(([verdict, group]) =>
    Plot.dot(group, {
      x: ({ ratio }: Placed) => ratio.estimate,
      y: 'place',
      symbol: shapeOf(verdict, metric) as Plot.SymbolType,
      r: 6,
      fill: verdict === 'cannot tell' ? 'var(--paper)' : verdictColour(verdict),
      stroke: verdictColour(verdict),
      strokeWidth: 1.5,
      title: (row: Placed) => titleOf(row, metric),
    }),
  );
}

/** The pooled estimate as a diamond as wide as its interval. */
function diamond(
  row: Placed,
  metric: Forest['metric'],
  {
    ends: [least, most],
    clip,
    rowPx,
  }: { ends: Ends; clip: (value: number) => number; rowPx: number },
): Plot.RenderFunction {
  const { place, ratio, verdict } = row;
  const isSpanned = ratio.low !== null || ratio.high !== null;
  return (_, scales, __, ___, context) => {
    const x = (value: number) => Number(scales.x?.(clip(value)));
    const y = Number(scales.y?.(place)) + rowPx / 2;
    const points = [
      [x(ratio.low ?? (isSpanned ? least : ratio.estimate / 1.01)), y],
      [x(ratio.estimate), y - 7],
      [x(ratio.high ?? (isSpanned ? most : ratio.estimate * 1.01)), y],
      [x(ratio.estimate), y + 7],
    ];
    const path = shape(context, 'path', {
      d: `M${points.map((point) => point.join(',')).join('L')}Z`,
      fill: verdictColour(verdict),
      stroke: verdictColour(verdict),
    });
    const title = shape(context, 'title', {});
    title.textContent = titleOf(row, metric);
    path.append(title);
    return path;
  };
}

function titleOf({ name, ratio, verdict }: ForestRow, metric: Forest['metric']): string {
  return `${name}: ${estimateText(ratio, ratioText)}, ${verdictWord(verdict, metric)}`;
}

/** Round ratios within the domain, as many as can be read. */
function ticksOf(low: number, high: number, { ticks }: Layout): number[] {
  const widest = Math.max(1 / low, high);
  const steps = ticks[widest < 1.16 ? 0 : widest < 1.4 ? 1 : widest < 2.2 ? 2 : 3] ?? [];
  return steps.filter((ratio) => ratio >= low && ratio <= high);
}

/**
 * The shape of a verdict, centred: a triangle points to the side on which the stack lies, less to the left; same is a square, and what
 * cannot be told is a ring. The same shapes stand in tables and charts.
 */
function shapeOf(verdict: Verdict, metric: Forest['metric']) {
  const side = sideOf(verdict, metric);
  const draw = (path: CanvasPath, areaPx: number): void => {
    if (side !== null) triangle(path, (side === 'below' ? -1 : 1) * Math.sqrt(areaPx) * 0.62);
    else if (verdict === 'same') square(path, areaPx);
    else ring(path, areaPx);
  };
  return { draw };
}

function square(path: CanvasPath, areaPx: number): void {
  const side = Math.sqrt(areaPx) * 0.85;
  path.rect(-side / 2, -side / 2, side, side);
}

function triangle(path: CanvasPath, tip: number): void {
  path.moveTo(tip, 0);
  path.lineTo(-tip * 0.85, -Math.abs(tip) * 0.95);
  path.lineTo(-tip * 0.85, Math.abs(tip) * 0.95);
  path.closePath();
}

function ring(path: CanvasPath, areaPx: number): void {
  const radius = Math.sqrt(areaPx) * 0.45;
  path.moveTo(radius, 0);
  path.arc(0, 0, radius, 0, 2 * Math.PI);
}
