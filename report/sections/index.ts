import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { documentText } from '../../kit/page/document.ts';
import { html } from '../../kit/page/markup.ts';
import type { Section } from '../../kit/page/section.ts';
import { capital } from '../../kit/text/capital.ts';
import { counted, momentText } from '../../kit/text/number.ts';
import type { Summary } from '../summary/summary.ts';
import { age } from './age.ts';
import { answer } from './answer.ts';
import { bySite } from './by-site.ts';
import { charts } from './charts.ts';
import { compared } from './compared.ts';
import { conditions } from './conditions.ts';
import { control } from './control.ts';
import { fairness } from './fairness.ts';
import { growth } from './growth.ts';
import { ledger } from './ledger.ts';
import { link } from './link.ts';
import { machines } from './machines.ts';
import { method } from './method.ts';
import { network } from './network.ts';
import { packets } from './packets.ts';
import { pathEvents } from './path-events.ts';
import { sites } from './sites.ts';
import { isOfBench, type ReportView, reportView } from './view.ts';

type ReportSection = Section<ReportView>;

/** The sections of every report in their order; those of the run's experiment, and others for some runs, follow on the first ones. */
const FIRST: readonly ReportSection[] = [answer, compared, conditions, pathEvents];
const REST: readonly ReportSection[] = [
  sites,
  charts,
  growth,
  machines,
  bySite,
  link,
  packets,
  control,
  age,
  fairness,
  network,
  ledger,
  method,
];

/** What a report has beside the records and the summary. */
interface Additions extends Partial<Pick<ReportView, 'kept' | 'stories' | 'captures' | 'carried'>> {
  /** Sections of the run's experiment. */
  own?: readonly ReportSection[];
  /** Sections that only some runs have. */
  sections?: readonly ReportSection[];
}

/** report.html: one file that needs nothing but itself, and the HARs beside it for its links. Pure. */
export function reportPage(
  run: RunRecord,
  summary: Summary,
  observations: readonly Observation[],
  { own = [], sections = [], ...additions }: Additions = {},
): string {
  const view = reportView(run, summary, observations, additions);
  const shown = [...FIRST, ...own, ...sections, ...REST].filter(
    (section) => section.isShown?.(view) ?? true,
  );
  return documentText({
    title: `${capital(view.experiment.question ?? view.metric.phrases)} of ${counted(run.subjects.length, ...view.experiment.site)} ${isOfBench(run) ? `on ${counted(view.arms.length, 'server stack')}` : `by ${counted(view.arms.length, 'protocol')}`}`,
    runIds: [run.runId],
    style: shown.map(({ style = '' }) => style).join(''),
    about: html`quic-vs-https, run <bdi class="name">${run.runId}</bdi>, started <time datetime="${summary.startedAt}">${momentText(summary.startedAt)}</time>`,
    contents: html`${shown.map(({ id, title }) => title !== null && html`<li><a href="#${id}">${typeof title === 'string' ? title : title(view)}</a></li>`)}`,
    warnings: summary.warnings,
    main: html`${shown.map(
      (section) => html`${section.render(view, section.id)}
`,
    )}`,
    footer: html`Written from run.json, ${run.recordFile}, calibrations.jsonl, invocations.jsonl, looks.jsonl${view.ofPages && ' and some of the HARs'}${view.carried.size > 0 && ', and of the files of the link,'} of the run's folder; the numbers above the level of one ${view.experiment.attempt[0]}
are in summary.json and summary.csv${summary.conditionChanges.length > 0 && ' (those of conditions in condition-changes.csv)'} beside this file.`,
  });
}
