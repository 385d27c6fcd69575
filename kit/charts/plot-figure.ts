import { estimateMarkup } from '../page/estimate.ts';
import { figure, lineLegend, symbolLegend } from '../page/figure.ts';
import { html, type Insert, type Markup, nameOf } from '../page/markup.ts';
import { type Column, table } from '../page/table.ts';
import {
  hasInterval,
  type Point,
  type Series,
  scatter,
  symbols,
  valueText,
  type XyChart,
  xyChart,
} from './xy-chart.ts';

interface PlotFigure {
  /** Unique name of the figure; no markup. */
  name: string;
  caption: Insert;
  /** Charts of the same stacks, one per panel. */
  panels: readonly XyChart[];
  /** Absent: the stacks. */
  legend?: Insert;
  /** Absent: a table of all points. */
  data?: Markup;
  /** Name of a point in that table. */
  nameIn?: (name: string) => Markup;
  /** Class of the box around the panels. */
  box?: string;
}

/** With fewer points or positions, a chart shows no more than its table. */
const FEWEST_POINTS = 3;

/** Charts with legend, text alternatives and data table. */
export function plotFigure({
  name,
  caption,
  panels,
  legend,
  data,
  nameIn,
  box,
}: PlotFigure): Markup {
  const series = panels.flatMap((panel) => panel.series);
  const arms = [...new Map(series.map(({ arm }) => [arm.arm, arm])).values()];
  const isScatter = panels.some(({ marks }) => marks.includes(scatter));
  const shown = panels.filter(isPlottable);
  return figure({
    name,
    caption,
    legend: shown.length > 0 && (legend ?? (isScatter ? symbolLegend(arms) : lineLegend(arms))),
    chart:
      shown.length > 0 &&
      html`<div class="${box ?? (shown.length === 1 ? 'small-chart' : 'panels')}">${shown.map((panel) => xyChart(panel, altText(panel, name)))}</div>`,
    data: data ?? pointsTable(panels, name, nameIn),
  });
}

/** Whether there are enough points at enough positions for a chart. */
function isPlottable({ series, marks }: XyChart): boolean {
  const points = series.flatMap((each) => each.points.filter(({ y }) => y !== null));
  const fewestPlaces = marks.includes(symbols) ? FEWEST_POINTS : 2;
  return points.length >= FEWEST_POINTS && new Set(points.map(({ x }) => x)).size >= fewestPlaces;
}

function altText({ x, y, series, marks }: XyChart, name: string): string {
  const kind = marks.includes(scatter) ? 'Scatter' : 'Line';
  const labels = series.map(({ arm }) => arm.label).join(', ');
  return `${kind} chart: ${y.label} by ${x.label}; ${labels}; ${name}. Its numbers are in the table below.`;
}

type Numbers = Pick<XyChart, 'x' | 'y'> & Series;

/** A row for each name or x, with columns for the values of all stacks. */
function pointsTable(panels: readonly XyChart[], name: string, nameIn = nameOf): Markup {
  const numbers = panels.flatMap(({ x, y, series }) => series.map((own) => ({ x, y, ...own })));
  const all = numbers.flatMap(({ points }) => points);
  const isNamed = all.some((point) => point.name !== undefined);
  const hasIntervals = all.some(hasInterval);
  const columnsBy = (
    key: (of: Numbers) => string,
    heading: (of: Numbers) => Insert,
    text: (point: Point, of: Numbers) => Insert,
  ) =>
    [...Map.groupBy(numbers, key).values()].map((own): Column<Point> => {
      const cells = new Map(
        own.flatMap((of) => of.points.map((point) => [keyOf(point), text(point, of)] as const)),
      );
      return [own[0] && heading(own[0]), (point) => cells.get(keyOf(point)) ?? '–'];
    });
  const yText = ({ y: estimate, low = null, high = null }: Point, { y, points }: Numbers) => {
    if (estimate === null) return '–';
    const text = (value: number) => valueText(y, value);
    return points.some(hasInterval)
      ? estimateMarkup({ estimate, low, high }, text)
      : text(estimate);
  };
  const xLabel = ({ x }: Numbers) => x.label;
  return table<Point>({
    caption: html`All points${hasIntervals && ', with their intervals'}: <bdi>${name}</bdi>`,
    columns: [
      isNamed && ['Name', (point) => nameIn(point.name ?? '')],
      ...columnsBy(xLabel, xLabel, (point, { x }) => valueText(x, point.x)),
      ...columnsBy(
        ({ y, arm }) => `${y.label} ${arm.arm}`,
        ({ y, arm }) => html`${y.label},<br><bdi>${arm.label}</bdi>`,
        yText,
      ),
    ],
    items: [...Map.groupBy(all, keyOf).values()]
      .flatMap(([point]) => point ?? [])
      .toSorted((a, b) => a.x - b.x),
  });
}

function keyOf({ name, x }: Point): string {
  return name ?? String(x);
}
