import type { PageLoad } from '../../records/page-load.ts';
import type { RunRecord } from '../../records/run.ts';
import { METRICS } from '../metrics/index.ts';
import { bytesText, counted, millisecondsText } from '../number-text.ts';
import type { Summary } from '../summary.ts';
import { harLink } from './har-link.ts';
import { html, type Markup } from './markup.ts';
import { nameOf, scrolling } from './name.ts';

/** Every attempted load, site by site in the order run, with its HAR. */
export function pageLoadLists(
  run: RunRecord,
  summary: Summary,
  pageLoads: readonly PageLoad[],
): Markup {
  const loadsOfSite = Map.groupBy(
    pageLoads.toSorted((a, b) => a.order - b.order),
    ({ site }) => site,
  );
  return html`<section class="page-loads" aria-labelledby="page-loads">
<h2 id="page-loads">Every page load and its HAR</h2>
<p>A HAR (HTTP Archive) holds every request of one page load with its timings. <strong>To open one in Chromium or
Chrome:</strong> open DevTools (F12), choose the Network panel, then the “Import HAR” button (an arrow pointing up) or drag
the file onto the panel. The Time column of its first row is the document time of this report. The links lead to files
beside this one; they work as long as the run's folder is kept together.</p>
${run.sites.map(({ site }) => siteList(run, summary, site, loadsOfSite.get(site) ?? []))}
</section>`;
}

function siteList(
  run: RunRecord,
  summary: Summary,
  site: string,
  loads: readonly PageLoad[],
): Markup {
  const notOk = loads.filter((load) => load.outcome !== 'ok').length;
  const withNetwork = summary.networks.length > 1;
  const labelOf = new Map(run.stacks.map(({ stack, label }) => [stack, label]));
  // As few characters as a row can do with: a long run has thousands of them.
  return html`<details><summary>${nameOf(site)} <span class="quiet">${counted(loads.length, 'load')}${notOk > 0 && `, ${notOk} not ok`}</span></summary>
${
  loads.length > 0 &&
  scrolling(
    `Page loads of ${site}`,
    html`<table class="loads">
<caption>Page loads of ${nameOf(site)} in the order run; times in milliseconds; received: what the path carried to the browser</caption>
<thead><tr><th scope="col">Order</th><th scope="col">File</th><th scope="col">Stack</th>${withNetwork && html`<th scope="col">Network</th>`}
<th scope="col">Repetition</th>${METRICS.map(({ label }) => html`<th scope="col">${label}</th>`)}<th scope="col">Received</th>
<th scope="col">Outcome</th></tr></thead>
<tbody>
${loads.map(
  (
    load,
  ) => html`<tr><td>${load.order}</td><td>${harLink(load.har)}</td><td>${labelOf.get(load.stack) ?? load.stack}</td>${
    withNetwork && html`<td>${load.network.name}</td>`
  }<td>${load.warmup ? 'warm-up' : load.repetition}${load.attempt > 1 && `, attempt ${load.attempt}`}</td>${METRICS.map(
    (metric) => html`<td>${millisecondsText(metric.of(load))}</td>`,
  )}<td>${load.path ? bytesText(load.path.toClient.bytes) : '–'}</td>${outcomeCell(load)}</tr>
`,
)}</tbody></table>`,
  )
}</details>
`;
}

function outcomeCell({ outcome, code, message }: PageLoad): Markup {
  if (outcome === 'ok') return html`<td>ok</td>`;
  return html`<td class="wrap lacking">${outcome}: <code>${code ?? 'unknown'}</code><br><bdi>${message}</bdi></td>`;
}
