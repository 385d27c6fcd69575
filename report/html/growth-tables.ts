import type { RunRecord } from '../../records/run.ts';
import type { Growth, GrowthRow } from '../growth.ts';
import { counted, decimalText, millisecondsText } from '../number-text.ts';
import type { Summary } from '../summary.ts';
import { html, type Markup } from './markup.ts';
import { nameOf, scrolling, stackLabel } from './name.ts';

/** How medians grow with the delay, where the run has networks that differ in the delay alone. */
export function growthTables(run: RunRecord, { growth }: Summary): Markup | null {
  if (growth.length === 0) return null;
  return html`<section aria-labelledby="growth">
<h2 id="growth">Growth with delay</h2>
<p>The median page load time at each round-trip time added, over networks that differ in nothing else. <strong>Round
trips</strong>: how much longer the median is at the longest delay than at the shortest, divided by the difference of the two
delays. It is in ms per ms, so it is about the number of round trips that the page load waits for one after the other.
This describes medians and no more: no line is fitted, no interval is given, nothing is tested.</p>
${growth.map((one) => growthTable(run, one))}
</section>`;
}

function growthTable(run: RunRecord, { networks, rows, overSites }: Growth): Markup {
  const names = networks.map(({ name }) => name).join(', ');
  const label = (row: { stack: string; label: string }) =>
    stackLabel(
      row.label,
      run.stacks.findIndex(({ stack }) => stack === row.stack),
    );
  const nSites = overSites[0]?.nSites ?? 0;
  const columns = networks.length + 2;
  const line = (row: { stack: string; label: string }, cells: Markup) =>
    html`<tr><th scope="row" class="stack">${label(row)}</th>${cells}</tr>
`;
  return scrolling(
    `Growth with delay, networks ${names}`,
    html`<table class="growth">
<caption>Median page load time in milliseconds by added round-trip time; networks: <bdi>${names}</bdi></caption>
<thead>
<tr><th rowspan="2" scope="col" class="text">Site and stack</th><th colspan="${networks.length}" scope="colgroup">Round-trip time added</th>
<th rowspan="2" scope="col">Round trips<br>(ms per ms)</th></tr>
<tr>${networks.map(({ rttMs }) => html`<th scope="col">${decimalText(rttMs)} ms</th>`)}</tr>
</thead>
${
  nSites > 1 &&
  body(
    html`<span class="name">Median over ${counted(nSites, 'site')}</span>`,
    columns,
    overSites.map((each) =>
      line(
        each,
        html`<td colspan="${networks.length}"></td>${roundTripsCell(each.medianPerRttMs)}`,
      ),
    ),
  )
}
${[...Map.groupBy(rows, ({ site }) => site)].map(([site, siteRows]) =>
  body(
    nameOf(site),
    columns,
    siteRows.map((row) => line(row, numberCells(row))),
  ),
)}</table>`,
  );
}

function body(heading: Markup, columns: number, lines: readonly Markup[]): Markup {
  return html`<tbody>
<tr class="site-row"><th scope="rowgroup" colspan="${columns}"><div>${heading}</div></th></tr>
${lines}</tbody>
`;
}

function numberCells({ mediansMs, perRttMs }: GrowthRow): Markup {
  return html`${mediansMs.map((medianMs) => html`<td>${millisecondsText(medianMs)}</td>`)}${roundTripsCell(perRttMs)}`;
}

function roundTripsCell(value: number | null): Markup {
  return html`<td class="main">${value === null ? '–' : value.toFixed(1).replace('-', '−')}</td>`;
}
