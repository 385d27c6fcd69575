import type { PageLoad } from '../../records/page-load.ts';
import type { RunRecord } from '../../records/run.ts';
import { conditionsOf } from '../condition.ts';
import { momentText } from '../moment-text.ts';
import { counted } from '../number-text.ts';
import type { Summary } from '../summary.ts';
import { answer } from './answer.ts';
import { CHART_READING, chartFigure } from './chart-figure.ts';
import { comparison } from './comparison.ts';
import { growthTables } from './growth-tables.ts';
import { howItWasRun } from './how-it-was-run.ts';
import { ledger } from './ledger.ts';
import { html, type Markup, trusted } from './markup.ts';
import { nameOf, networkTitle } from './name.ts';
import { network } from './network.ts';
import { pageLoadLists } from './page-loads.ts';
import { siteTables } from './site-tables.ts';
import { STYLE } from './style.ts';

// Nothing may be fetched and nothing may run: the report is text, one style sheet and one kind of picture.
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** With more networks than these, tables are closed at first: charts that belong together then stand close together. */
const FEW_NETWORKS = 2;

/** report.html: one file that needs nothing but itself, and the HARs beside it for its links. Pure. */
export function reportPage(
  run: RunRecord,
  summary: Summary,
  pageLoads: readonly PageLoad[],
): string {
  const conditions = conditionsOf(summary.rows);
  const title = `Page load times of ${counted(run.sites.length, 'site')} on ${counted(run.stacks.length, 'server stack')}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title} (${run.runId})</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="quiet">quic-vs-https, run <span class="name">${run.runId}</span>, started <time datetime="${run.startedAt}">${momentText(run.startedAt)}</time></p>
<nav aria-label="Contents"><ul>
<li><a href="#compared">What was compared</a></li><li><a href="#results">Results</a></li>
${summary.growth.length > 0 && html`<li><a href="#growth">Growth with delay</a></li>`}<li><a href="#network">The network</a></li><li><a href="#ledger">Loads left out</a></li>
<li><a href="#page-loads">HARs</a></li><li><a href="#method">How it was run</a></li>
</ul></nav>
</header>
<main>
${summary.warnings.length > 0 && warnings(summary.warnings)}
${answer(summary)}
${comparison(run, summary)}
<section aria-labelledby="results">
<h2 id="results">Results per site and stack</h2>
${CHART_READING}
${
  conditions.length > 1 &&
  html`<p>A chart and a table for each network. Each chart has its own axis: lengths of bars are not to be compared between them.</p>
<ul class="jump">${conditions.map(
    ({ condition }, index) =>
      html`<li><a href="#results-${index + 1}">${nameOf(condition.name)}</a></li>`,
  )}</ul>`
}
${conditions.map(
  (condition, index) => html`<h3 id="results-${index + 1}">${networkTitle(condition.condition)}</h3>
${chartFigure(run, condition, pageLoads)}
${siteTables(run, condition, conditions.length > FEW_NETWORKS)}`,
)}
</section>
${growthTables(run, summary)}
${network(run, summary)}
${ledger(summary, pageLoads)}
${pageLoadLists(run, summary, pageLoads)}
${howItWasRun(run)}
</main>
<footer>Written from run.json, page-loads.jsonl and calibrations.jsonl of the run's folder; the numbers above the level of one load are in
summary.json and summary.csv beside this file.</footer>
</body>
</html>
`;
  return page.text;
}

function warnings(sentences: readonly string[]): Markup {
  return html`<div class="notice" role="note" aria-label="Warnings">${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>`;
}
