import * as Plot from '@observablehq/plot';
import type { Estimate } from '../analysis/comparison.ts';
import type { Markup } from '../html/markup.ts';
import { drawn, type Marks, shape, shortName } from './canvas.ts';
import { type Shown, VERDICT_SHAPES, verdictColour } from './verdict-shape.ts';

/** One row: a site, or all sites together. */
export interface ForestRow {
  name: string;
  /** Time of the stack divided by the baseline's; null: nothing to show but the verdict. */
  ratio: Estimate | null;
  verdict: Shown;
}

/** What a forest chart shows. */
export interface Forest {
  stackLabel: string;
  baselineLabel: string;
  rows: readonly ForestRow[];
  /** Over all sites, as a diamond below; null: there is none. */
  pooled: ForestRow | null;
  /** Ratios within [1 / (1 + m), 1 + m] count as the same. */
  marginPercent: number;
}

type Placed = ForestRow & { place: number; ratio: Estimate };

/** A row whose interval is known. */
type Spanned = Placed & { ratio: { low: number; high: number } };

const ROW_PX = 23;
/** Beyond these ratios the axis does not go: a single wild interval would flatten all others. */
const WIDEST: readonly [number, number] = [1 / 6, 6];

/** Ratios with their intervals, a row for each site, on one logarithmic axis; the margin as a band. */
export function forestChart(forest: Forest, ariaLabel: string): Markup {
  const { rows, pooled, marginPercent } = forest;
  const all = pooled ? [...rows, pooled] : rows;
  const margin = 1 + marginPercent / 100;
  const [low, high] = domainOf(all, margin);
  const placed = all.flatMap((row, place): Placed[] =>
    row.ratio ? [{ ...row, place, ratio: row.ratio }] : [],
  );
  const sites = placed.filter(({ place }) => place < rows.length);
  const marginTop = 58;
  const marginBottom = 6;
  const clip = (value: number) => Math.min(high, Math.max(low, value));
  return drawn(
    {
      height: marginTop + marginBottom + all.length * ROW_PX,
      marginTop,
      marginBottom,
      marginLeft: 210,
      marginRight: 262,
      x: { type: 'log', domain: [low, high], label: null },
      y: {
        type: 'band',
        domain: all.map((_, place) => place),
        label: null,
        round: false,
        padding: 0,
      },
    },
    [
      Plot.rectX([0], { x1: 1 / margin, x2: margin, fill: 'var(--band)' }),
      Plot.gridX({ ticks: ticksOf(low, high), stroke: 'var(--line)', strokeOpacity: 1 }),
      Plot.axisX({
        anchor: 'top',
        ticks: ticksOf(low, high),
        tickFormat: ratioText,
        tickSize: 0,
        label: null,
      }),
      Plot.ruleX([1], { stroke: 'var(--ink)' }),
      ...sides(forest),
      Plot.axisY({
        tickSize: 0,
        tickFormat: (place: number) => shortName(all[place]?.name ?? ''),
        fill: 'var(--ink)',
      }),
      Plot.link(sites.filter(isSpanned), {
        x1: ({ ratio }: Spanned) => clip(ratio.low),
        x2: ({ ratio }: Spanned) => clip(ratio.high),
        y1: 'place',
        y2: 'place',
        stroke: ({ verdict }: Spanned) => verdictColour(verdict),
        strokeWidth: 2,
      }),
      ...symbols(sites.filter(({ ratio }) => ratio.estimate >= low && ratio.estimate <= high)),
      pooled &&
        placed.length > sites.length &&
        Plot.ruleY([rows.length], { stroke: 'var(--line)', dy: -ROW_PX / 2 }),
      ...placed.filter(({ place }) => place === rows.length).map((row) => diamond(row, clip)),
      ...columns(all),
    ],
    ariaLabel,
  );
}

function isSpanned(row: Placed): row is Spanned {
  return row.ratio.low !== null && row.ratio.high !== null;
}

/** Which way is which, in words above the axis. */
function sides({ stackLabel, baselineLabel }: Forest): Marks {
  const name = shortName(stackLabel, 20);
  const text = (words: string, frameAnchor: 'top-left' | 'top-right') =>
    Plot.text([words], { frameAnchor, dy: -34, fill: 'var(--quiet)' });
  return [
    text(`◄ ${name} takes less time`, 'top-left'),
    text(`${name} takes more time ►`, 'top-right'),
    Plot.text([`ratio to ${shortName(baselineLabel, 20)}, 95 % interval`], {
      frameAnchor: 'top-right',
      textAnchor: 'start',
      dx: 14,
      dy: -34,
      fill: 'var(--quiet)',
    }),
  ];
}

/** A symbol for each verdict that occurs; one mark for each, since shapes are drawn one kind at a time. */
function symbols(rows: readonly Placed[]): Marks {
  return [...Map.groupBy(rows, ({ verdict }) => verdict)].map(([verdict, group]) =>
    Plot.dot(group, {
      x: ({ ratio }: Placed) => ratio.estimate,
      y: 'place',
      symbol: VERDICT_SHAPES[verdict] as Plot.SymbolType,
      r: 6,
      fill:
        verdict === 'faster' || verdict === 'slower' || verdict === 'same'
          ? verdictColour(verdict)
          : 'var(--paper)',
      stroke: verdictColour(verdict),
      strokeWidth: 1.5,
      title: ({ name, ratio }: Placed) => `${name}: ${estimateText(ratio)}, ${verdict}`,
    }),
  );
}

/** The pooled estimate as a diamond as wide as its interval. */
function diamond(
  { place, ratio, verdict, name }: Placed,
  clip: (value: number) => number,
): Plot.RenderFunction {
  return (_, scales, __, ___, context) => {
    const x = (value: number) => Number(scales.x?.(clip(value)));
    const y = Number(scales.y?.(place)) + ROW_PX / 2;
    const points = [
      [x(ratio.low ?? ratio.estimate / 1.01), y],
      [x(ratio.estimate), y - 7],
      [x(ratio.high ?? ratio.estimate * 1.01), y],
      [x(ratio.estimate), y + 7],
    ];
    const path = shape(context, 'path', {
      d: `M${points.map((point) => point.join(',')).join('L')}Z`,
      fill: verdictColour(verdict),
      stroke: verdictColour(verdict),
    });
    const title = shape(context, 'title', {});
    title.textContent = `${name}: ${estimateText(ratio)}, ${verdict}`;
    path.append(title);
    return path;
  };
}

function columns(all: readonly ForestRow[]): Marks {
  const column = (
    dx: number,
    text: (row: ForestRow) => string,
    fill: string | ((row: ForestRow) => string),
  ) =>
    Plot.text(all, {
      y: (_: ForestRow, place: number) => place,
      frameAnchor: 'right',
      textAnchor: 'start',
      dx,
      text,
      fill,
    });
  return [
    column(14, ({ ratio }) => (ratio ? estimateText(ratio) : '–'), 'var(--ink)'),
    column(
      168,
      ({ verdict }) => verdict,
      ({ verdict }) => verdictColour(verdict),
    ),
  ];
}

function estimateText({ estimate, low, high }: Estimate): string {
  if (low === null || high === null) return `${ratioText(estimate)}, no interval`;
  return `${ratioText(estimate)} (${ratioText(low)} to ${ratioText(high)})`;
}

function ratioText(value: number): string {
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function domainOf(rows: readonly ForestRow[], margin: number): [low: number, high: number] {
  const ends = rows.flatMap(({ ratio }) =>
    ratio ? [ratio.low ?? ratio.estimate, ratio.high ?? ratio.estimate] : [],
  );
  const low = Math.min(1 / margin ** 2, ...ends) / 1.03;
  const high = Math.max(margin ** 2, ...ends) * 1.03;
  return [Math.max(WIDEST[0], low), Math.min(WIDEST[1], high)];
}

const STEPS: readonly (readonly number[])[] = [
  [0.9, 0.95, 1, 1.05, 1.1],
  [0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3],
  [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.4, 1.6, 1.8, 2],
  [0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5],
];

/** Round ratios within the domain, as many as can be read. */
function ticksOf(low: number, high: number): number[] {
  const widest = Math.max(1 / low, high);
  const steps = STEPS[widest < 1.16 ? 0 : widest < 1.4 ? 1 : widest < 2.2 ? 2 : 3] ?? [];
  return steps.filter((ratio) => ratio >= low && ratio <= high);
}
