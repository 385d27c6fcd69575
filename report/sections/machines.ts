import { drawConditions } from '../../experiments/per-condition.ts';
import { estimateMarkup } from '../../kit/page/estimate.ts';
import { html, type Markup, nameOf } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import { ratioText } from '../../kit/text/estimate.ts';
import { hostTexts, NOT_KNOWN } from '../../kit/text/host.ts';
import { countText, countWithNoun } from '../../kit/text/number.ts';
import { versionTexts } from '../../kit/text/versions.ts';
import { isOfSame } from '../summary/comparison.ts';
import type { MachineRatio, MachineSummary } from '../summary/machine-summary.ts';
import { baselineText, type ConditionView, labelledPairs, type ReportView } from './view.ts';

/** Ratios of each machine next to each other; empty for one machine. */
export const machines: Section<ReportView> = defineFoldedSection('machines', 'Machines', (view) => {
  const { machines: all } = view.summary;
  const [, several] = view.experiment.attempt;
  return {
    about: `${all.length} machines, each by itself`,
    content: html`<p>The ${several} were made on ${all.length} machines. <strong>${capitalize(several)} of different machines are never compared with each other</strong>: a pair
is made of ${several} of one block, and a block counts only when it lies on one machine. Below, each machine answers by itself. Machines that
had different ${view.experiment.site[1]} differ in them too.</p>
${machineFacts(view, all)}
${view.compared.length > 0 && drawConditions(view, (condition, name) => ratiosTable(view, condition, name, all))}`,
  };
});

function machineFacts(view: ReportView, all: readonly MachineSummary[]): Markup {
  const { site, attempt } = view.experiment;
  return table({
    label: 'The machines',
    class: 'machines',
    caption:
      'Machines of the run. A machine that changed between two invocations counts as another one.',
    columns: [
      ['Machine', ({ machine }) => nameOf(machine)],
      ['Processor', ({ host }) => machineText(host, 'Processor'), 'text wrap'],
      ['Memory', ({ host }) => machineText(host, 'Memory'), 'text'],
      ['Kernel', ({ host }) => machineText(host, 'Kernel'), 'text'],
      ['Measured by', (own) => versionTexts(own)['quic-vs-https'], 'text wrap'],
      ...browserColumns(view),
      ['Path made by', ({ backend }) => backend, 'text'],
      ['Invocations', ({ invocations }) => invocations.length],
      [capitalize(attempt[1]), ({ nLoads }) => countText(nLoads)],
      [
        'of these, in the statistics',
        ({ nCounted, nSites }) =>
          html`${countText(nCounted)} <span class="quiet">(${countWithNoun(nSites, ...site)})</span>`,
      ],
    ],
    items: all,
  });
}

/** Version of each browser of the run. */
function browserColumns({ ofPages, run }: ReportView): Column<MachineSummary>[] {
  const names = ofPages ? new Set(run.arms.map(({ client }) => client)) : [];
  return [...names].map((name) => [
    capitalize(name),
    ({ versions }) => versions[name] ?? 'not known',
    'text',
  ]);
}

function machineText(host: MachineSummary['host'], fact: string): string {
  return hostTexts(host).find(([name]) => name === fact)?.[1] ?? NOT_KNOWN;
}

function ratiosTable(
  view: ReportView,
  condition: ConditionView,
  name: string,
  all: readonly MachineSummary[],
): Markup {
  const {
    network: { name: network },
    variant,
  } = condition;
  const lines = [
    ...all.map(({ machine, primary }) => ({ title: nameOf(machine), found: primary })),
    { title: html`all together`, found: condition.primary },
  ];
  return table({
    label: `Ratios of each machine, ${name}`,
    class: 'machines',
    caption: html`Ratio to <bdi>${baselineText(view)}</bdi> over the ${view.experiment.site[1]}, with its 95 % interval; below 1: ${view.metric.words[0]}. Pairs of ${view.experiment.attempt[1]}, and ${view.experiment.site[1]}, in brackets.`,
    columns: [
      ['', ({ title }) => title],
      ...labelledPairs(view).map(
        (stack): Column<(typeof lines)[number]> => [
          stackLabel(stack),
          ({ found }) =>
            ratioCell(found.find((each) => isOfSame(each, { network, variant, arm: stack.arm }))),
        ],
      ),
    ],
    items: lines,
  });
}

function ratioCell(found: MachineRatio | undefined): Markup {
  if (!found || found.nPairs === 0) return html`<span class="quiet">no pairs</span>`;
  const { ratio, nPairs, nSites } = found;
  return html`${estimateMarkup(ratio, ratioText)} <span class="quiet">(${countText(nPairs)}, ${countText(nSites)})</span>`;
}
