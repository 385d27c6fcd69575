import { conditionName } from '../../experiments/condition.ts';
import { estimateMarkup } from '../../kit/page/estimate.ts';
import { conditionTitle, html, type Markup, nameOf, scrolling } from '../../kit/page/markup.ts';
import { folded, type Section } from '../../kit/page/section.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { capital } from '../../kit/text/capital.ts';
import { ratioText } from '../../kit/text/estimate.ts';
import { hostTexts, NOT_KNOWN } from '../../kit/text/host.ts';
import { counted, countText } from '../../kit/text/number.ts';
import { isOfSame } from '../summary/comparison.ts';
import type { MachineRatio, MachineSummary } from '../summary/machine-summary.ts';
import { baselineText, type ConditionView, labelledPairs, type ReportView } from './view.ts';

/** The machines side by side, as points of view on the same question; nothing where there was one. */
export const machines: Section<ReportView> = folded('machines', 'Machines', (view) => {
  const { machines: all } = view.summary;
  const [, several] = view.experiment.attempt;
  return {
    about: `${all.length} machines, each by itself`,
    content: html`<p>The ${several} were made on ${all.length} machines. <strong>${capital(several)} of different machines are never compared with each other</strong>: a pair
is made of ${several} of one block, and a block counts only when it lies on one machine. Below, each machine answers by itself. Machines that
had different ${view.experiment.site[1]} differ in them too.</p>
${machineFacts(view, all)}
${view.compared.length > 0 && view.conditions.map((condition) => ratios(view, condition, all))}`,
  };
});

function machineFacts(view: ReportView, all: readonly MachineSummary[]): Markup {
  return scrolling(
    'The machines',
    html`<table class="machines"><caption>What took part. A machine that was changed between two invocations counts as another one.</caption>
<thead><tr><th scope="col" class="text">Machine</th><th scope="col" class="text">Processor</th><th scope="col" class="text">Memory</th><th scope="col" class="text">Kernel</th>
${view.ofPages && html`<th scope="col" class="text">Chromium</th>`}<th scope="col" class="text">Path made by</th><th scope="col">Invocations</th><th scope="col">${capital(view.experiment.attempt[1])}</th><th scope="col">of these, in the statistics</th></tr></thead>
<tbody>
${all.map(
  ({ machine, host, versions, backend, invocations, nLoads, nCounted, nSites }) =>
    html`<tr><th scope="row">${nameOf(machine)}</th><td class="text wrap">${machineText(host, 'Processor')}</td><td class="text">${machineText(host, 'Memory')}</td><td class="text">${machineText(host, 'Kernel')}</td>
${view.ofPages && html`<td class="text">${versions.chromium ?? 'not known'}</td>`}<td class="text">${backend}</td><td>${invocations.length}</td><td>${countText(nLoads)}</td><td>${countText(nCounted)} <span class="quiet">(${counted(nSites, ...view.experiment.site)})</span></td></tr>`,
)}</tbody></table>`,
  );
}

function machineText(host: MachineSummary['host'], fact: string): string {
  return hostTexts(host).find(([name]) => name === fact)?.[1] ?? NOT_KNOWN;
}

function ratios(
  view: ReportView,
  condition: ConditionView,
  all: readonly MachineSummary[],
): Markup {
  const name = conditionName(condition);
  const {
    network: { name: network },
    variant,
  } = condition;
  const lines = [
    ...all.map(({ machine, primary }) => ({ title: nameOf(machine), found: primary })),
    { title: html`all together`, found: condition.primary },
  ];
  return html`<h3>${conditionTitle(condition)}</h3>
${scrolling(
  `Ratios of each machine, ${name}`,
  html`<table class="machines"><caption>Ratio to <bdi>${baselineText(view)}</bdi> over the ${view.experiment.site[1]}, with its 95 % interval; below 1: ${view.metric.words[0]}. Pairs of ${view.experiment.attempt[1]}, and ${view.experiment.site[1]}, in brackets.</caption>
<thead><tr><td></td>${labelledPairs(view).map((arm) => html`<th scope="col">${stackLabel(arm)}</th>`)}</tr></thead>
<tbody>
${lines.map(
  ({ title, found }) =>
    html`<tr><th scope="row">${title}</th>${view.compared.map(
      ({ arm }) =>
        html`<td>${ratioCell(found.find((each) => isOfSame(each, { network, variant, arm })))}</td>`,
    )}</tr>`,
)}</tbody></table>`,
)}`;
}

function ratioCell(found: MachineRatio | undefined): Markup {
  if (!found || found.nPairs === 0) return html`<span class="quiet">no pairs</span>`;
  const { ratio, nPairs, nSites } = found;
  return html`${estimateMarkup(ratio, ratioText)} <span class="quiet">(${countText(nPairs)}, ${countText(nSites)})</span>`;
}
