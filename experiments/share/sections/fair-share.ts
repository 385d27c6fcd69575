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
    content: html`<p>Jain’s index is 1 where all flows get the same, and one by their number where one gets everything. Times to a fair share are counted from when the last flow was asked for to the first
moment from which on, for ${FAIR_FOR_MS / 1000}&nbsp;s, what each flow got in every ${MOVING_MS === 1000 ? 'second' : `${MOVING_MS} ms`} was within ${100 * NEAR_FAIR}&nbsp;% of an equal part; repetitions that are not among the fair ones never came to that, or were let for less than ${FAIR_REPORTED_FROM_MS / 1000}&nbsp;s, which is too short to tell. The delay in the queue is how long the last packet waited, the queue the most
bytes that waited at once in any repetition, beside what was set. Numbers are medians over the repetitions with their 95&nbsp;% intervals.</p>
${scrollRegion('How fair it was', table(view))}
<p>A ratio is how many times as much a flow of the one stack got as a flow of the other one, in the middle of the repetitions. It is the congestion control of the senders that shares: what all stacks were asked to use stands under <a
href="#method">the method</a>, and even two that are named the same need not be the same. Published comparisons of 2018 and 2019 found that QUIC took more than
twice of what TCP got; that was Google QUIC, whose Cubic then stood for two connections in one, and sent as two would. What is measured here are the stacks of this run, and says nothing of others.</p>`,
  })),
};

function table(view: RunView): Markup {
  return html`<table><caption>Whole trials</caption>
<thead><tr><th scope="col" class="text">Mix</th><th scope="col">Repetitions</th><th scope="col">All flows</th><th scope="col">Jain’s index</th>${view.compared.map(
    ({ label, baseline }) =>
      html`<th scope="col"><bdi>${label}</bdi> to <bdi>${baseline.label}</bdi></th>`,
  )}<th scope="col">Time to a fair share, ms</th><th scope="col">Fair in</th><th scope="col">Queue, ms</th><th scope="col">Most in it, of</th></tr></thead>
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

/** How many trials came to a fair share, as far as they were long enough to. */
function fairInText(fair: number, trials: number, run: RunView['run']): string {
  const isReported = fair === trials || flowsOf(run).durationMs >= FAIR_REPORTED_FROM_MS;
  if (isReported) return `${fair} of ${trials}`;
  return fair === 0 ? 'too short to tell' : `${fair} of ${trials}, the others too short to tell`;
}

/** The most that waited in any trial, beside what was set. */
function queueText({ trials }: MixTrials): string {
  const queues = trials.flatMap(({ attempts: [first] }) => first?.details?.queue ?? []);
  const [first] = queues;
  if (!first) return 'not told';
  const most = Math.max(...queues.map(({ mostBytes }) => mostBytes));
  return `${bytesText(most)} of ${bytesText(first.setBytes)}`;
}
