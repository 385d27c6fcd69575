import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { shortName } from '../../kit/charts/canvas.ts';
import type { Chart } from '../../kit/page/chart.ts';
import { documentOf } from '../../kit/page/document.ts';
import { withBase } from '../../kit/page/links.ts';
import { html } from '../../kit/page/markup.ts';
import { type RareSection, type Section, shownSections } from '../../kit/page/section.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { countWithNoun, momentText } from '../../kit/text/number.ts';
import { AND } from '../../kit/text/sentences.ts';
import type { Summary } from '../summary/summary.ts';
import { answer } from './answer.ts';
import { bySite } from './by-site.ts';
import { charts } from './charts.ts';
import { compared } from './compared.ts';
import { exclusions } from './exclusions.ts';
import { fairness } from './fairness.ts';
import { method } from './method.ts';
import { network } from './network.ts';
import { sites } from './sites.ts';
import { type ReportView, reportView } from './view.ts';

type ReportSection = Section<ReportView> | RareSection<ReportView>;

const conditions: ReportSection = {
  isShown: ({ summary }) => summary.conditionChanges.length > 0,
  load: async () => (await import('./conditions.ts')).conditions,
};
const explanation: ReportSection = {
  isShown: ({ summary }) => summary.explanations !== undefined,
  load: async () => (await import('../explanation/section.ts')).explanation,
};
const pathEvents: ReportSection = {
  isShown: ({ run }) => run.networks.some(({ event }) => event !== undefined),
  load: async () => (await import('./path-events.ts')).pathEvents,
};
const sweeps: ReportSection = {
  isShown: ({ summary }) => summary.sweeps.length > 0,
  load: async () => (await import('./sweeps.ts')).sweeps,
};
const machines: ReportSection = {
  isShown: ({ summary }) => summary.machines.length > 1,
  load: async () => (await import('./machines.ts')).machines,
};
const link: ReportSection = {
  isShown: ({ carried }) => carried.size > 0,
  load: async () => (await import('./link.ts')).link,
};
const packets: ReportSection = {
  isShown: ({ captures }) => captures.length > 0,
  load: async () => (await import('./packets.ts')).packets,
};
const control: ReportSection = {
  isShown: ({ summary }) => summary.controls.length > 0,
  load: async () => (await import('./control.ts')).control,
};
const age: ReportSection = {
  isShown: ({ summary }) => summary.ageChecks.some(({ nStarts }) => nStarts > 0),
  load: async () => (await import('./age.ts')).age,
};

/** Sections of every report in their order; those of the experiment, and rare ones, follow. */
const FIRST: readonly ReportSection[] = [answer, explanation, compared, conditions, pathEvents];
const REST: readonly ReportSection[] = [
  sites,
  charts,
  sweeps,
  machines,
  bySite,
  link,
  packets,
  control,
  age,
  fairness,
  network,
  exclusions,
  method,
];

interface Additions extends Partial<Pick<ReportView, 'kept' | 'stories' | 'captures' | 'carried'>> {
  own?: readonly ReportSection[];
  sections?: readonly ReportSection[];
  /** Prefix of links to the run's files; empty: the page is in the run's folder. */
  base?: string;
  /** Receives the charts of the page. */
  withCharts?(charts: readonly Chart[]): void;
}

/** More names are only counted. */
const MOST_NAMES = 3;

function subjectNames({ run: { subjects }, experiment: { site } }: ReportView): string {
  if (subjects.length > MOST_NAMES) return countWithNoun(subjects.length, ...site);
  return AND.format(subjects.map(({ subject }) => shortName(subject, 60)));
}

/** report.html, a single file with links to files of the run. Depends only on its arguments. */
export async function reportPage(
  run: RunRecord,
  summary: Summary,
  observations: readonly Observation[],
  { own = [], sections = [], base = '', withCharts, ...additions }: Additions = {},
): Promise<string> {
  const view = reportView(run, summary, observations, additions);
  const shown = await shownSections([...FIRST, ...own, ...sections, ...REST], view);
  const page = documentOf({
    title: `${capitalize(view.experiment.question ?? view.metric.phrases)} of ${subjectNames(view)}`,
    runIds: [run.runId],
    style: shown.map(({ style = '' }) => style).join(''),
    script: shown.map(({ script = '' }) => script).join(''),
    about: html`quic-vs-https, run <bdi class="name">${run.runId}</bdi>, started <time datetime="${summary.startedAt}">${momentText(summary.startedAt)}</time>`,
    contents: html`${shown.map(({ id, title }) => title !== null && html`<li><a href="#${id}">${typeof title === 'string' ? title : title(view)}</a></li>`)}`,
    warnings: summary.warnings,
    main: withBase(
      base,
      html`${shown.map(
        (section) => html`${section.render(view, section.id)}
`,
      )}`,
    ),
    footer: html`Written from run.json, ${run.recordFile}, calibrations.jsonl, invocations.jsonl, looks.jsonl${view.ofPages && ' and some of the HARs'}${view.carried.size > 0 && ', and of the files of the link,'} of the run's folder; the numbers above the level of one ${view.experiment.attempt[0]}
are in summary.json and summary.csv${summary.conditionChanges.length > 0 && ' (those of conditions in condition-changes.csv)'} in the same folder.`,
  });
  withCharts?.(page.charts);
  return page.text;
}
