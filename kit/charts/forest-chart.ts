import * as Plot from '@observablehq/plot';
import { verdictColour } from '../page/estimate.ts';
import type { Markup } from '../page/markup.ts';
import { type Estimate, estimateText, ratioText, signed } from '../text/estimate.ts';
import type { Direction } from '../text/ratio-words.ts';
import { type AxisUnit, axisUnit, type Measured, shortAxisText } from '../text/value.ts';
import { sideOf, type Verdict, verdictWord } from '../text/verdict.ts';
import { type Marks, rowTexts, shape, shortName } from './canvas.ts';
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
  /** Narrow enough to stand beside text; verdicts by their signs alone. */
  compact?: boolean;
  /** All sites on one line, by their signs alone. */
  gathered?: boolean;
  /** Ratios of other charts that are to have the same axis. */
  besides?: readonly (Estimate | null)[];
}

type Placed = ForestRow & { place: number; ratio: Estimate };

interface Layout {
  room: RatioRows['room'];
  nameCharacters: number;
  /** Where the columns begin, from the axis' end; null: not shown. */
  columns: { ratio: number; difference: number; verdict: number | null };
  ticks: readonly (readonly number[])[];
}

const WIDE: Layout = {
  room: { marginTop: 58, marginLeft: 210, marginRight: 400 },
  nameCharacters: 28,
  columns: { ratio: 14, difference: 156, verdict: 316 },
  ticks: [
    [0.9, 0.95, 1, 1.05, 1.1],
    [0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3],
    [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.6, 1.8, 2],
    [0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5],
  ],
};

const COMPACT: Layout = {
  room: { width: 680, marginTop: 48, marginLeft: 156, marginRight: 292 },
  nameCharacters: 20,
  columns: { ratio: 14, difference: 148, verdict: null },
  ticks: [
    [0.9, 0.95, 1, 1.05, 1.1],
    [0.8, 0.9, 1, 1.1, 1.2],
    [0.5, 0.65, 0.8, 1, 1.25, 1.5, 2],
    [0.2, 0.5, 1, 2, 5],
  ],
};

const ROW_PX = 23;

/** Ratios with their intervals, a row for each site, on one logarithmic axis; the margin as a band. */
export function forestChart(
  forest: Forest,
  ariaLabel: string,
  { compact = false, gathered = false, besides = [] }: ForestOptions = {},
): Markup {
  const { rows, pooled, marginPercent, metric } = forest;
  const layout = compact ? COMPACT : WIDE;
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
  return ratioRows(
    {
      names: all.map(({ name }) => name),
      nameCharacters: layout.nameCharacters,
      rowPx: ROW_PX,
      domain: [low, high],
      ticks: ticksOf(low, high, layout),
      room: layout.room,
      margin,
      headings: headings(forest, differences, layout),
    },
    [
      ...(gathered ? [] : intervalMarks(intervalsOf(subjects), [low, high])),
      ...symbols(
        subjects.filter(({ ratio }) => ratio.estimate >= low && ratio.estimate <= high),
        forest.metric,
      ),
      pooled && Plot.ruleY([lines.length], { stroke: 'var(--line)', dy: -ROW_PX / 2 }),
      ...together.map((row) => diamond(row, forest.metric, [low, high], clip)),
      ...arrowMarks(intervalsOf(together), [low, high]),
      // The line of signs has no numbers of its own.
      ...columns(all, gathered ? 1 : 0, { metric: forest.metric, differences }, layout),
    ],
    ariaLabel,
  );
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

/** Which way is which, in words above the axis, and what the columns hold. */
function headings(
  { stackLabel, baselineLabel, metric }: Forest,
  differences: AxisUnit,
  layout: Layout,
): Marks {
  const isWide = layout === WIDE;
  const [less, more] = sidesOf(metric, isWide ? shortName(stackLabel, 20) : null);
  const dy = -34;
  const text = (words: string, options: Plot.TextOptions) =>
    Plot.text([words], { frameAnchor: 'top-right', dy, fill: 'var(--quiet)', ...options });
  const column = (words: string, dx: number) => text(words, { textAnchor: 'start', dx });
  return [
    text(`◄ ${less}`, { frameAnchor: 'top-left' }),
    text(`${more} ►`, {}),
    column(isWide ? `ratio to ${shortName(baselineLabel, 16)}` : 'ratio', layout.columns.ratio),
    column(`difference${differences.phrase}`, layout.columns.difference),
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
  [least, most]: Ends,
  clip: (value: number) => number,
): Plot.RenderFunction {
  const { place, ratio, verdict } = row;
  const isSpanned = ratio.low !== null || ratio.high !== null;
  return (_, scales, __, ___, context) => {
    const x = (value: number) => Number(scales.x?.(clip(value)));
    const y = Number(scales.y?.(place)) + ROW_PX / 2;
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

function columns(
  all: readonly ForestRow[],
  first: number,
  { metric, differences }: { metric: Forest['metric']; differences: AxisUnit },
  { columns: at }: Layout,
): Marks {
  const column = (
    dx: number,
    text: (row: ForestRow) => string,
    fill?: (row: ForestRow) => string,
  ) => rowTexts(all.slice(first), dx, text, fill, first);
  return [
    column(
      at.ratio,
      (row) => estimateText(row.ratio, ratioText) ?? withoutRatio(row, metric, at.verdict),
    ),
    column(
      at.difference,
      ({ difference }) => estimateText(difference, differenceIn(metric, differences)) ?? '',
    ),
    at.verdict !== null &&
      column(
        at.verdict,
        ({ verdict }) => verdictWord(verdict, metric),
        ({ verdict }) => verdictColour(verdict),
      ),
  ];
}

/** Differences in the unit of their heading, where there is no room for one behind each. */
function differenceIn({ unit }: Forest['metric'], heading: AxisUnit): (value: number) => string {
  return (value) => signed(value, (size) => shortAxisText(size, unit, heading));
}

/** Failures may leave no ratio and still tell. */
function withoutRatio(
  { verdict }: ForestRow,
  metric: Forest['metric'],
  verdictAt: number | null,
): string {
  return verdictAt === null ? `no ratio, ${verdictWord(verdict, metric)}` : '–';
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
