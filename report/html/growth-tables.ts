import type { RunRecord } from '../../records/run.ts';
import type { Growth, GrowthRow } from '../growth.ts';
import { counted, decimalText, millisecondsText } from '../number-text.ts';
import type { Summary } from '../summary.ts';
import { html, type Insert, type Markup } from './markup.ts';
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
  return scrolling(
    `Growth with delay, networks ${names}`,
    html`<table class="growth">
<caption>Median page load time in milliseconds by added round-trip time; networks: <bdi>${names}</bdi></caption>
<thead>
<tr><th rowspan="2" scope="col" class="text">Site</th><th rowspan="2" scope="col" class="text">Stack</th>
<th colspan="${networks.length}" scope="colgroup">Round-trip time added</th><th rowspan="2" scope="col">Round trips<br>(ms per ms)</th></tr>
<tr>${networks.map(({ rttMs }) => html`<th scope="col">${decimalText(rttMs)} ms</th>`)}</tr>
</thead>
${
  nSites > 1 &&
  body(
    html`Median over ${counted(nSites, 'site')}`,
    overSites.map(
      (each) =>
        html`<td class="text">${label(each)}</td>${networks.map(() => html`<td></td>`)}<td class="main">${roundTripsText(each.medianPerRttMs)}</td>`,
    ),
  )
}
${[...Map.groupBy(rows, ({ site }) => site)].map(([site, siteRows]) =>
  body(
    nameOf(site),
    siteRows.map((row) => html`<td class="text">${label(row)}</td>${numberCells(row)}`),
  ),
)}</table>`,
  );
}

function body(heading: Insert, lines: readonly Markup[]): Markup {
  return html`<tbody>
${lines.map(
  (line, index) =>
    html`<tr>${index === 0 && html`<th scope="rowgroup" rowspan="${lines.length}">${heading}</th>`}${line}</tr>
`,
)}</tbody>
`;
}

function numberCells({ mediansMs, perRttMs }: GrowthRow): Markup {
  return html`${mediansMs.map((medianMs) => html`<td>${millisecondsText(medianMs)}</td>`)}<td class="main">${roundTripsText(perRttMs)}</td>`;
}

function roundTripsText(value: number | null): string {
  return value === null ? '–' : value.toFixed(1).replace('-', '−');
}
