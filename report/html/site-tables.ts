import type { PlannedSite, PlannedStack, RunRecord } from '../../records/run.ts';
import { type ConditionRows, rowsBySite } from '../condition.ts';
import { METRICS } from '../metrics/index.ts';
import type { Metric } from '../metrics/metric.ts';
import { pageLoadTime } from '../metrics/page-load-time.ts';
import { bytesText, counted, millisecondsText } from '../number-text.ts';
import type { Description } from '../statistics/description.ts';
import type { SummaryRow } from '../summary.ts';
import { html, type Insert, type Markup } from './markup.ts';
import { nameOf, scrolling, stackLabel } from './name.ts';

const STATISTICS: [heading: string, statistic: keyof Description][] = [
  ['Mean', 'mean'],
  ['Median', 'median'],
  ['SD', 'standardDeviation'],
  ['Min', 'minimum'],
  ['Max', 'maximum'],
];

/**
 * Page load times per site and stack, with the other metrics' medians beside them and their full statistics below.
 * @param closed whether the table opens only when asked to
 */
export function siteTables(
  run: RunRecord,
  { condition, rows }: ConditionRows,
  closed: boolean,
): Markup {
  const network = condition.name;
  const table = scrolling(
    `Statistics per site and stack, network ${network}`,
    mainTable(run, rows, network),
  );
  const tables = html`${table}
${METRICS.filter((metric) => metric !== pageLoadTime).map(
  (
    metric,
  ) => html`<details class="printed"><summary>${metric.label}: mean, median, standard deviation, minimum, maximum</summary>
${scrolling(`${metric.label} per site and stack, network ${network}`, metricTable(run, rows, metric, network))}</details>
`,
)}`;
  if (!closed) return tables;
  return html`<details class="printed"><summary>All statistics in tables, with the numbers of loads</summary>
${tables}</details>`;
}

function mainTable(run: RunRecord, rows: readonly SummaryRow[], network: string): Markup {
  const others = METRICS.filter((metric) => metric !== pageLoadTime);
  return html`<table class="wide">
<caption>Milliseconds; network: <bdi>${network}</bdi>. SD: standard deviation with n − 1. Ok, failed, invalid: numbers of page loads,
warm-ups not counted; the statistics are over the ok loads.</caption>
<thead>
<tr><th rowspan="2" scope="col" class="text">Site and stack</th>
<th colspan="${STATISTICS.length}" scope="colgroup">${pageLoadTime.label}</th>
${others.map((metric) => html`<th scope="col">${metric.label}</th>`)}
<th colspan="3" scope="colgroup">Page loads</th></tr>
<tr>${STATISTICS.map(([heading]) => html`<th scope="col">${heading}</th>`)}${others.map(() => html`<th scope="col">Median</th>`)}
<th scope="col">Ok</th><th scope="col">Failed</th><th scope="col">Invalid</th></tr>
</thead>
${siteBodies(
  run,
  rows,
  STATISTICS.length + others.length + 3,
  siteFacts,
  (row) =>
    html`${statisticCells(row, pageLoadTime)}${others.map(
      (metric) => html`<td>${millisecondsText(row.timingsMs[metric.name]?.median)}</td>`,
    )}<td>${row.nOk}</td>${countCell(row.nFailed)}${countCell(row.nInvalid)}`,
)}
</table>`;
}

function metricTable(
  run: RunRecord,
  rows: readonly SummaryRow[],
  metric: Metric,
  network: string,
): Markup {
  return html`<table>
<caption>${metric.label} in milliseconds; network: <bdi>${network}</bdi>. ${metric.definition}</caption>
<thead><tr><th scope="col" class="text">Site and stack</th>
${STATISTICS.map(([heading]) => html`<th scope="col">${heading}</th>`)}<th scope="col">n</th></tr></thead>
${siteBodies(
  run,
  rows,
  STATISTICS.length + 1,
  () => null,
  (row) => html`${statisticCells(row, metric)}<td>${row.timingsMs[metric.name]?.n ?? 0}</td>`,
)}
</table>`;
}

/** One body for each site: a row with its name and what is said about it, then a row for each stack. */
function siteBodies(
  run: RunRecord,
  rows: readonly SummaryRow[],
  columns: number,
  facts: (site: PlannedSite) => Insert,
  cells: (row: SummaryRow) => Insert,
): Markup[] {
  return [...rowsBySite(rows)].map(([site, siteRows]) => {
    const planned = run.sites.find((candidate) => candidate.site === site);
    return html`<tbody>
<tr class="site-row"><th scope="rowgroup" colspan="${columns + 1}"><div>${nameOf(site)}${planned && facts(planned)}</div></th></tr>
${siteRows.map(
  (
    row,
  ) => html`<tr><th scope="row" class="stack">${stackLabel(row.label, placeOf(run.stacks, row.stack))}</th>${cells(row)}</tr>
`,
)}</tbody>
`;
  });
}

function siteFacts({ source, resources, hosts, wireBytes }: PlannedSite): Markup {
  return html` <span class="quiet"><bdi>${source}</bdi> · ${counted(resources, 'resource')} · ${counted(hosts, 'host')} ·
${bytesText(wireBytes)} on the wire</span>`;
}

function statisticCells(row: SummaryRow, metric: Metric): Markup[] {
  const description = row.timingsMs[metric.name];
  return STATISTICS.map(([, statistic]) =>
    statistic === 'median'
      ? html`<td class="main">${millisecondsText(description?.[statistic])}</td>`
      : html`<td>${millisecondsText(description?.[statistic])}</td>`,
  );
}

function countCell(count: number): Markup {
  return count > 0 ? html`<td class="lacking">${count}</td>` : html`<td class="quiet">0</td>`;
}

function placeOf(stacks: readonly PlannedStack[], name: string): number {
  return stacks.findIndex(({ stack }) => stack === name);
}
