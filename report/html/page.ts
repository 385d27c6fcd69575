import type { Observation } from '../../records/observation.ts';
import type { RunRecord } from '../../records/run.ts';
import type { KeptHars } from '../kept-hars.ts';
import { momentText } from '../moment-text.ts';
import { counted } from '../number-text.ts';
import type { Summary } from '../summary.ts';
import { waterfallStyle } from '../waterfall/style.ts';
import { whyStyle } from '../why/style.ts';
import { answer } from './answer.ts';
import { charts } from './charts.ts';
import { comparison } from './comparison.ts';
import { type ReportView, reportView } from './condition-view.ts';
import { documentText } from './document.ts';
import { fairness } from './fairness.ts';
import { foldedSection } from './fold.ts';
import { howItWasRun } from './how-it-was-run.ts';
import { ledger } from './ledger.ts';
import { machines } from './machines.ts';
import { html, type Markup } from './markup.ts';
import { conditionTitle } from './name.ts';
import { network } from './network.ts';
import type { Section } from './section.ts';
import { type SiteStory, siteSections } from './site-section.ts';
import { siteTable } from './site-table.ts';
import { sweeps } from './sweeps.ts';

/** What the page shows beside the run's own numbers. */
export interface PageAdditions {
  /** What the HARs of single loads tell, by site and condition. */
  stories?: readonly SiteStory[];
  /** The HARs that links can lead to, where not all were kept. */
  kept?: KeptHars;
  /** Sections that are not the report's own. */
  sections?: readonly Section<ReportView>[];
}

/** report.html: one file that needs nothing but itself, and the HARs beside it for its links. Pure. */
export function reportPage(
  run: RunRecord,
  summary: Summary,
  observations: readonly Observation[],
  { stories = [], kept = null, sections = [] }: PageAdditions = {},
): string {
  const view = reportView(run, summary, observations, kept);
  const shown = sections.filter(({ isShown }) => isShown(view));
  const title = `${view.metric.label}s of ${counted(run.subjects.length, 'site')} on ${counted(view.arms.length, 'server stack')}`;
  return documentText({
    title,
    runIds: [run.runId],
    style: [waterfallStyle, whyStyle, ...shown.map(({ style }) => style ?? '')].join(''),
    about: html`quic-vs-https, run <bdi class="name">${run.runId}</bdi>, started <time datetime="${run.startedAt}">${momentText(run.startedAt)}</time>`,
    contents: html`<li><a href="#compared">What was compared</a></li>${shown.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}<li><a href="#sites">Sites</a></li><li><a href="#charts">Charts</a></li>
${summary.sweeps.length > 0 && html`<li><a href="#growth">Round-trip times</a></li>`}${summary.machines.length > 1 && html`<li><a href="#machines">Machines</a></li>`}<li><a href="#by-site">Site by site</a></li>${summary.controls.length > 0 && html`<li><a href="#control">Control</a></li>`}<li><a href="#fairness">Fairness</a></li>
<li><a href="#network">Network</a></li><li><a href="#ledger">Loads left out</a></li><li><a href="#method">Method</a></li>`,
    warnings: summary.warnings,
    main: html`${answer(view)}
${comparison(view)}
${shown.map(({ id, render }) => render(view, id))}
${siteTables(view)}
${charts(view)}
${sweeps(view)}
${machines(view)}
${siteSections(view, stories)}
${controls(view)}
${fairness(view)}
${network(view)}
${ledger(view)}
${howItWasRun(run)}`,
    footer: html`Written from run.json, page-loads.jsonl, calibrations.jsonl, invocations.jsonl, looks.jsonl and some of the HARs of the run's folder; the numbers above the level of one load
are in summary.json and summary.csv beside this file.`,
  });
}

function siteTables(view: ReportView): Markup {
  return foldedSection('sites', {
    title: 'Sites',
    about: `times and verdicts of ${counted(view.summary.subjects.length, 'site')} under ${counted(view.conditions.length, 'condition')}`,
    content: html`<p class="unprinted">Choose a column's heading to sort by it. A site's name leads to all that is known of its loads.</p>
${view.conditions.map(
  (condition) => html`<h3>${conditionTitle(condition)}</h3>
${siteTable(view, condition)}
`,
)}`,
  });
}

/** A stack against itself: how often this set-up sees a difference where there is none. */
function controls({ summary }: ReportView): Markup | null {
  if (summary.controls.length === 0) return null;
  return foldedSection('control', {
    title: 'The control',
    about: 'a stack against itself',
    content: html`<p>A stack was run a second time under another name, in the same blocks. Any difference between the two is a false alarm,
so their number says how far the verdicts of this run can be trusted.</p>
${summary.controls.map(
  ({ sentence, primary }) => html`<p>${sentence}</p>
<ul>${primary.map((each) => html`<li>${each.sentence}</li>`)}</ul>
`,
)}`,
  });
}
