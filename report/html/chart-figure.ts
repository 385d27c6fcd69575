import type { PageLoad } from '../../records/page-load.ts';
import type { RunRecord } from '../../records/run.ts';
import { type ConditionRows, conditionKey, conditionText, rowsBySite } from '../condition.ts';
import { pageLoadTime } from '../metrics/page-load-time.ts';
import { counted, millisecondsText } from '../number-text.ts';
import { isCounted } from '../summary.ts';
import { type Bar, type Dot, pageLoadChart } from './chart.ts';
import { html, type Markup } from './markup.ts';
import { nameOf, scrolling, stackLabel } from './name.ts';

/** How to read every chart of the report. */
export const CHART_READING = html`<p><strong>Bar and number: median. Dot: one page load.</strong> Shorter is faster; the axis
starts at zero. Bars of a site stand in the order of the legend. Dots that lie wide apart mean that the median could easily
have come out otherwise.</p>`;

/** The grouped bar chart of one network condition, with its legend and its data as a table. */
export function chartFigure(
  run: RunRecord,
  conditionRows: ConditionRows,
  pageLoads: readonly PageLoad[],
): Markup {
  const { condition, rows } = conditionRows;
  const stacks = run.stacks.filter(({ stack }) => rows.some((row) => row.stack === stack));
  const sites = rowsBySite(rows);
  const network = condition.name;
  const bars = rows.map(
    ({ site, stack, label, timingsMs }): Bar => ({
      site,
      stack,
      label,
      medianMs: timingsMs.pageLoad?.median ?? null,
    }),
  );
  const labelOf = new Map(run.stacks.map(({ stack, label }) => [stack, label]));
  const dots = pageLoads.flatMap((load): Dot[] => {
    const pageLoadMs = pageLoadTime.of(load);
    if (!isCounted(load) || pageLoadMs === null) return [];
    if (conditionKey(load.network) !== conditionKey(condition)) return [];
    const { site, stack, repetition } = load;
    return [{ site, stack, label: labelOf.get(stack) ?? stack, pageLoadMs, repetition }];
  });
  const ariaLabel = `Bar chart of the median page load time of ${counted(sites.size, 'site')} on ${counted(stacks.length, 'stack')} with ${conditionText(condition)}, with a dot for each load. The table below it has the same numbers.`;
  return html`<figure>
<figcaption>Page load time by site and stack, network: <bdi>${network}</bdi>
<ul class="legend">${stacks.map(
    ({ stack, label }) =>
      html`<li>${stackLabel(
        label,
        run.stacks.findIndex((planned) => planned.stack === stack),
      )}</li>`,
  )}<li><span class="swatch dot" aria-hidden="true"></span>one page load</li></ul></figcaption>
${scrolling(`Chart of page load times, network ${network}`, pageLoadChart(bars, dots, stacks, ariaLabel))}
</figure>
<details class="unprinted"><summary>The chart's numbers as a table</summary>
${scrolling(
  `Median page load times, network ${network}`,
  html`<table>
<caption>Median page load time in milliseconds, network: <bdi>${network}</bdi></caption>
<thead><tr><th scope="col" class="text">Site</th>${stacks.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>
${[...sites].map(
  ([site, siteRows]) => html`<tr><th scope="row">${nameOf(site)}</th>${stacks.map(
    ({ stack }) =>
      html`<td>${millisecondsText(siteRows.find((row) => row.stack === stack)?.timingsMs.pageLoad?.median)}</td>`,
  )}</tr>
`,
)}</tbody></table>`,
)}</details>`;
}
