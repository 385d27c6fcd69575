import { estimateMarkup } from '../../../kit/page/estimate.ts';
import {
  conditionTitle,
  html,
  type Markup,
  nameOf,
  scrollRegion,
} from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import type { Estimate } from '../../../kit/text/estimate.ts';
import { bytesText, decimalText, millisecondsText, rateText } from '../../../kit/text/number.ts';
import { medianEstimate } from '../../estimates.ts';
import { hasAny } from '../../per-condition.ts';
import type { RunView } from '../../run-view.ts';
import { flowsOf } from '../planning.ts';
import { FAIR_FOR_MS, FAIR_REPORTED_FROM_MS, MOVING_MS, NEAR_FAIR } from '../sharing.ts';
import { type Condition, goodputRatio, type MixTrials, mixesOf, numberOfTrial } from './trials.ts';

export const fairShare: Section<RunView> = {
  isShown: hasAny(mixesOf),
  ...defineOpenSection('fair-share', 'How fair it was', (view) => ({
    content: html`<p>Jain’s index is 1 if all n flows get the same, and 1/n if one flow gets everything. The time to a fair share begins with the request for the last flow. It ends with the start
of the first ${FAIR_FOR_MS / 1000}&nbsp;s in which each flow got within ${100 * NEAR_FAIR}&nbsp;% of an equal part in every ${MOVING_MS === 1000 ? 'second' : `${MOVING_MS} ms`}. The remaining repetitions never became fair, or lasted less than ${FAIR_REPORTED_FROM_MS / 1000}&nbsp;s, which is too short to decide. The delay in the queue is that of the last packet. The last column has the most
bytes queued at once in any repetition, and the configured limit. Numbers are medians over the repetitions with their 95&nbsp;% intervals.</p>
${scrollRegion('How fair it was', table(view))}
<p>A ratio is the median over the repetitions of the goodput of a flow of one stack divided by that of the other stack. The senders’ congestion control decides the shares. <a
href="#method">The method</a> has the congestion control of each stack; two implementations of the same name may differ. Published comparisons of 2018 and 2019 found that QUIC took more than
twice the goodput of TCP. They measured Google QUIC, whose Cubic then emulated two connections. These results hold only for the stacks of this run.</p>`,
  })),
};

function table(view: RunView): Markup {
  return html`<table><caption>Whole trials</caption>
<thead><tr><th scope="col" class="text">Mix</th><th scope="col">Repetitions</th><th scope="col">All flows</th><th scope="col">Jain’s index</th>${view.compared.map(
    ({ label, baseline }) =>
      html`<th scope="col"><bdi>${label}</bdi> to <bdi>${baseline.label}</bdi></th>`,
  )}<th scope="col">Time to a fair share, ms</th><th scope="col">Fair in</th><th scope="col">Queue, ms</th><th scope="col">Most queued, of</th></tr></thead>
${view.conditions.map((condition) => conditionRows(view, condition))}</table>`;
}

function conditionRows(view: RunView, condition: Condition): Markup | null {
  const mixes = mixesOf(view, condition);
  if (mixes.length === 0) return null;
  return html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="${8 + view.compared.length}">${conditionTitle(condition)}</th></tr>
${mixes.map((mix) => mixRow(mix, view))}</tbody>`;
}

function mixRow(mix: MixTrials, { compared, run }: Pick<RunView, 'compared' | 'run'>): Markup {
  const { subject, trials } = mix;
  const numbersOf = (metric: string) => trials.map((trial) => numberOfTrial(trial, metric));
  const fairMs = numbersOf('timeToFairMs').filter((ms) => ms !== null);
  const cell = (estimate: Estimate | null, text: (value: number) => string) =>
    html`<td>${estimateMarkup(estimate, text)}</td>`;
  return html`<tr><th scope="row">${nameOf(subject)}</th><td>${trials.length}</td>${cell(medianEstimate(numbersOf('totalKbps')), rateText)}${cell(
    medianEstimate(numbersOf('jainIndex')),
    (index) => index.toFixed(3),
  )}${compared.map(({ arm, baseline }) => cell(goodputRatio(mix, arm, baseline.arm), (ratio) => decimalText(ratio)))}${cell(
    medianEstimate(fairMs),
    (ms) => decimalText(ms, 0),
  )}<td>${fairInText(fairMs.length, trials.length, run)}</td>${cell(medianEstimate(numbersOf('queueMs')), millisecondsText)}<td>${queueText(mix)}</td></tr>`;
}

/** Number of fair trials, or that trials were too short to decide. */
function fairInText(fair: number, trials: number, run: RunView['run']): string {
  const isReported = fair === trials || flowsOf(run).durationMs >= FAIR_REPORTED_FROM_MS;
  if (isReported) return `${fair} of ${trials}`;
  return fair === 0 ? 'too short' : `${fair} of ${trials}, the rest too short`;
}

/** Most bytes queued in any trial, and the configured limit. */
function queueText({ trials }: MixTrials): string {
  const queues = trials.flatMap(({ attempts: [first] }) => first?.details?.queue ?? []);
  const [first] = queues;
  if (!first) return 'unknown';
  const most = Math.max(...queues.map(({ mostBytes }) => mostBytes));
  return `${bytesText(most)} of ${bytesText(first.setBytes)}`;
}
