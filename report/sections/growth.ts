import { variantName } from '../../experiments/index.ts';
import { sweepChart } from '../../kit/charts/sweep-chart.ts';
import { estimateMarkup } from '../../kit/page/estimate.ts';
import { figure, lineLegend } from '../../kit/page/figure.ts';
import { html, type Markup, nameOf, scrolling, siteName } from '../../kit/page/markup.ts';
import { folded, type Section } from '../../kit/page/section.ts';
import { capital } from '../../kit/text/capital.ts';
import { counted, decimalText, millisecondsText } from '../../kit/text/number.ts';
import type { Sweep, SweepRow } from '../summary/sweep.ts';
import { type ReportView, stackOf } from './view.ts';

/** How times grow with the round-trip time, where the run has networks that differ in it alone. */
export const growth: Section<ReportView> = folded('growth', 'Round-trip times', (view) => {
  const waiting = waitingNoun(view);
  return {
    title: 'Growth with the round-trip time',
    about: `how many round trips ${view.ofPages ? 'pages' : view.experiment.attempt[1]} wait for`,
    content: html`<p>Over networks that differ in nothing else, a line through the medians of each ${view.experiment.site[0]} splits the ${view.metric.phrase}: what it takes
when the network takes no time (the line's beginning), and how many ms each further ms of round-trip time costs. The latter is
about the number of <strong>round trips</strong> that the ${waiting} waits for one after the other.</p>
${view.summary.sweeps.map((sweep) => oneSweep(view, sweep))}`,
  };
});

/** What waits for the round trips that a metric has in it. */
function waitingNoun({ ofPages, metric, experiment }: ReportView): string {
  if (!ofPages) return experiment.attempt[0];
  return metric.name === 'pageLoadMs' ? 'page' : 'document';
}

function oneSweep(view: ReportView, sweep: Sweep): Markup {
  const { metric } = view;
  const [site, sites] = view.experiment.site;
  const { networks, overSites, crossovers, variant } = sweep;
  const rttsMs = networks.map(({ measuredRttMs, rttMs }) => measuredRttMs ?? rttMs);
  const name = `${networks.map((network) => network.name).join(', ')}${variantName(variant) && `, ${variantName(variant)}s`}`;
  const swept = overSites.map(({ arm, mediansMs, roundTrips, interceptMs }) => ({
    arm: stackOf(view, arm),
    points: rttsMs.map((x, index) => ({ x, y: mediansMs[index] ?? null })),
    line: roundTrips === null || interceptMs === null ? null : { roundTrips, interceptMs },
  }));
  const crossings = crossovers.flatMap(({ rttMs, sentence }) =>
    rttMs === null ? [] : [{ x: rttMs, label: sentence }],
  );
  return html`<h3>${nameOf(name)}</h3>
${networks.length === 2 && html`<p class="quiet">With two round-trip times the line goes through both points: nothing here tells whether it is a line.</p>`}
${crossovers.length > 0 && html`<ul>${crossovers.map(({ sentence }) => html`<li>${sentence}</li>`)}</ul>`}
${figure({
  name: `growth with the round-trip time, ${name}`,
  caption: html`<h4>Median over ${counted(overSites[0]?.nSites ?? 0, ...view.experiment.site)}</h4>`,
  legend: lineLegend(swept.map(({ arm }) => arm)),
  chart: sweepChart(
    swept,
    crossings,
    `Line chart: median ${metric.phrase} against the round-trip time at ${networks.map(({ rttMs }) => `${decimalText(rttMs)} ms`).join(', ')} added, a line for each of ${counted(swept.length, 'stack')}. The table below it has the same numbers.`,
    { measured: metric.phrase },
  ),
  data: html`<table><caption>Median over the ${sites} of their median ${metric.phrases} in milliseconds, and of their lines</caption>
${head(sweep)}<tbody>
${overSites.map(
  ({
    label,
    mediansMs,
    roundTrips,
    interceptMs,
  }) => html`<tr><th scope="row"><bdi>${label}</bdi></th>${mediansMs.map((median) => html`<td>${millisecondsText(median)}</td>`)}
<td>${roundTrips === null ? '–' : decimalText(roundTrips, 1)}</td><td>${millisecondsText(interceptMs)}</td></tr>`,
)}</tbody></table>`,
})}
<details class="printed"><summary>${capital(site)} by ${site}, with intervals</summary>
${scrolling(
  `Growth with the round-trip time by ${site}, ${name}`,
  html`<table class="growth"><caption>Median ${metric.phrase} in milliseconds by round-trip time added; networks: <bdi>${name}</bdi></caption>
${head(sweep)}
${[...Map.groupBy(sweep.rows, ({ subject }) => subject)].map(
  ([
    subject,
    rows,
  ]) => html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="${networks.length + 3}">${siteName(view, subject)}</th></tr>
${rows.map((row) => siteLine(row))}</tbody>`,
)}</table>`,
)}</details>`;
}

function siteLine({ label, mediansMs, line }: SweepRow): Markup {
  return html`<tr><th scope="row" class="stack"><bdi>${label}</bdi></th>${mediansMs.map((median) => html`<td>${millisecondsText(median)}</td>`)}
<td class="main">${estimateMarkup(line?.roundTrips ?? null, signedTrips)}</td><td>${estimateMarkup(line?.interceptMs ?? null, signedMs)}</td></tr>`;
}

function head({ networks }: Sweep): Markup {
  return html`<thead><tr><th scope="col" class="text">Stack</th>${networks.map(({ rttMs }) => html`<th scope="col">${decimalText(rttMs)} ms</th>`)}
<th scope="col">Round trips<br>(ms per ms)</th><th scope="col">Without<br>the network</th></tr></thead>
`;
}

const signedTrips = (value: number) => value.toFixed(1).replace('-', '−');
const signedMs = (value: number) => millisecondsText(value).replace('-', '−');
