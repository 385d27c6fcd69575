import { estimateMarkup } from '../page/estimate.ts';
import { figure, lineLegend, symbolLegend } from '../page/figure.ts';
import { html, type Insert, type Markup, nameOf } from '../page/markup.ts';
import {
  hasInterval,
  type Point,
  type Series,
  scatter,
  signs,
  valueText,
  type XyChart,
  xyChart,
} from './xy-chart.ts';

interface Plotted {
  /** Names the figure among others of its kind; no markup. */
  name: string;
  caption: Insert;
  /** Charts of the same stacks, one for each panel. */
  panels: readonly XyChart[];
  /** Absent: the stacks. */
  legend?: Insert;
  /** Absent: a table of all points. */
  data?: Markup;
  /** The name of a point in that table. */
  nameIn?: (name: string) => Markup;
  /** Class of the box around the panels. */
  box?: string;
}

/** With fewer points, or signs at fewer places, a chart says no more than its table. */
const FEWEST_POINTS = 3;

/** Charts with their legend, their text alternatives and the table of their numbers. */
export function plotted({ name, caption, panels, legend, data, nameIn, box }: Plotted): Markup {
  const arms = [...new Map(allSeries(panels).map(({ arm }) => [arm.arm, arm])).values()];
  const isScatter = panels.some(({ marks }) => marks.includes(scatter));
  const shown = panels.filter(isWorthwhile);
  return figure({
    name,
    caption,
    legend: shown.length > 0 && (legend ?? (isScatter ? symbolLegend(arms) : lineLegend(arms))),
    chart:
      shown.length > 0 &&
      html`<div class="${box ?? (shown.length === 1 ? 'small-chart' : 'panels')}">${shown.map((panel) => xyChart(panel, alternative(panel, name)))}</div>`,
    data: data ?? pointsTable(panels, name, nameIn),
  });
}

/** Whether there are enough points for a chart, at enough places of its axis. */
function isWorthwhile({ series, marks }: XyChart): boolean {
  const points = series.flatMap((each) => each.points.filter(({ y }) => y !== null));
  const fewestPlaces = marks.includes(signs) ? FEWEST_POINTS : 2;
  return points.length >= FEWEST_POINTS && new Set(points.map(({ x }) => x)).size >= fewestPlaces;
}

function allSeries(panels: readonly XyChart[]): Series[] {
  return panels.flatMap(({ series }) => series);
}

function alternative({ x, y, series, marks }: XyChart, name: string): string {
  const kind = marks.includes(scatter) ? 'Scatter' : 'Line';
  const labels = series.map(({ arm }) => arm.label).join(', ');
  return `${kind} chart: ${y.label} by ${x.label}; ${labels}; ${name}. Its numbers are in the table below.`;
}

/** A column of a table of points: what its head says, and the numbers by the row's name or x. */
interface Column {
  head: Markup;
  cells: ReadonlyMap<string, Markup>;
}

/** A row for each name or x; columns for it, and for each number of each stack. */
function pointsTable(panels: readonly XyChart[], name: string, nameIn = nameOf): Markup {
  const all = allSeries(panels).flatMap(({ points }) => points);
  const isNamed = all.some((point) => point.name !== undefined);
  const hasIntervals = all.some(hasInterval);
  const columns = new Map<string, Column>();
  const addColumn = (
    key: string,
    head: Markup,
    points: readonly Point[],
    text: (of: Point) => Insert,
  ) =>
    columns.set(key, {
      head,
      cells: new Map([
        ...(columns.get(key)?.cells ?? []),
        ...points.map((point) => [keyOf(point), html`<td>${text(point)}</td>`] as const),
      ]),
    });
  for (const { x, series } of isNamed ? panels : []) {
    for (const { points } of series) {
      addColumn(x.label, html`${x.label}`, points, (point) => valueText(x, point.x));
    }
  }
  for (const { y, series } of panels) {
    const text = (value: number) => valueText(y, value);
    for (const { arm, points } of series) {
      addColumn(
        `${y.label} ${arm.arm}`,
        html`${y.label},<br><bdi>${arm.label}</bdi>`,
        points,
        (of) => {
          if (of.y === null) return '–';
          const { y: estimate, low = null, high = null } = of;
          return points.some(hasInterval)
            ? estimateMarkup({ estimate, low, high }, text)
            : text(estimate);
        },
      );
    }
  }
  const shown = [...columns.values()];
  const [first] = panels;
  return html`<table><caption>All points${hasIntervals && ', with their intervals'}: <bdi>${name}</bdi></caption>
<thead><tr>${isNamed || !first ? html`<th scope="col" class="text">Name</th>` : html`<th scope="col">${first.x.label}</th>`}${shown.map(({ head }) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${[...Map.groupBy(all, keyOf)]
  .toSorted(([, [a]], [, [b]]) => (a?.x ?? 0) - (b?.x ?? 0))
  .map(
    ([key, [point]]) =>
      html`<tr><th scope="row">${point && (point.name === undefined ? first && valueText(first.x, point.x) : nameIn(point.name))}</th>${shown.map(({ cells }) => cells.get(key) ?? html`<td>–</td>`)}</tr>`,
  )}</tbody></table>`;
}

function keyOf({ name, x }: Point): string {
  return name ?? String(x);
}
