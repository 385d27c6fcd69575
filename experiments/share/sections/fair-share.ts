import { estimateMarkup } from '../../../kit/page/estimate.ts';
import { conditionTitle, html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { type Column, table } from '../../../kit/page/table.ts';
import { bytesText, decimalText, millisecondsText, rateText } from '../../../kit/text/number.ts';
import { medianColumn } from '../../estimates.ts';
import { hasAny } from '../../per-condition.ts';
import type { RunView } from '../../run-view.ts';
import { flowsOf } from '../planning.ts';
import { FAIR_FOR_MS, FAIR_REPORTED_FROM_MS, MOVING_MS, NEAR_FAIR } from '../sharing.ts';
import { goodputRatio, type MixTrials, mixesOf, numberOfTrial } from './trials.ts';

export const fairShare: Section<RunView> = {
  isShown: hasAny(mixesOf),
  ...defineOpenSection('fair-share', 'How fair it was', (view) => ({
    content: html`<p>Jain’s index is 1 if all n flows get the same, and 1/n if one flow gets everything. The time to a fair share begins with the request for the last flow. It ends with the start
of the first ${FAIR_FOR_MS / 1000}&nbsp;s in which each flow got within ${100 * NEAR_FAIR}&nbsp;% of an equal part in every ${MOVING_MS === 1000 ? 'second' : `${MOVING_MS} ms`}. The remaining repetitions never became fair, or lasted less than ${FAIR_REPORTED_FROM_MS / 1000}&nbsp;s, which is too short to decide. The delay in the queue is that of the last packet. The last column has the most
bytes queued at once in any repetition, and the configured limit. Numbers are medians over the repetitions with their 95&nbsp;% intervals.</p>
${mixTable(view)}
<p>A ratio is the median over the repetitions of the goodput of a flow of one stack divided by that of the other stack. The senders’ congestion control decides the shares. <a
href="#method">The method</a> has the congestion control of each stack; two implementations of the same name may differ. Published comparisons of 2018 and 2019 found that QUIC took more than
twice the goodput of TCP. They measured Google QUIC, whose Cubic then emulated two connections. These results hold only for the stacks of this run.</p>`,
  })),
};

function mixTable(view: RunView): Markup {
  const numbersOf =
    (metric: string) =>
    ({ trials }: MixTrials) =>
      trials.map((trial) => numberOfTrial(trial, metric));
  return table({
    label: 'How fair it was',
    caption: 'Whole trials',
    columns: [
      ['Mix', ({ subject }) => nameOf(subject)],
      ['Repetitions', ({ trials }) => trials.length],
      medianColumn('All flows', numbersOf('totalKbps'), rateText),
      medianColumn('Jain’s index', numbersOf('jainIndex'), (index) => index.toFixed(3)),
      ...view.compared.map(
        ({ arm, label, baseline }): Column<MixTrials> => [
          html`<bdi>${label}</bdi> to <bdi>${baseline.label}</bdi>`,
          (mix) =>
            estimateMarkup(goodputRatio(mix, arm, baseline.arm), (ratio) => decimalText(ratio)),
        ],
      ),
      medianColumn('Time to a fair share, ms', numbersOf('timeToFairMs'), (ms) =>
        decimalText(ms, 0),
      ),
      ['Fair in', ({ trials }) => fairInText(trials, view.run)],
      medianColumn('Queue, ms', numbersOf('queueMs'), millisecondsText),
      ['Most queued, of', queueText],
    ],
    groups: view.conditions
      .map((condition) => [conditionTitle(condition), mixesOf(view, condition)] as const)
      .filter(([, mixes]) => mixes.length > 0),
  });
}

/** Number of fair trials, or that trials were too short to decide. */
function fairInText(trials: MixTrials['trials'], run: RunView['run']): string {
  const fair = trials.filter((trial) => numberOfTrial(trial, 'timeToFairMs') !== null).length;
  const text = `${fair} of ${trials.length}`;
  if (fair === trials.length || flowsOf(run).durationMs >= FAIR_REPORTED_FROM_MS) return text;
  return fair === 0 ? 'too short' : `${text}, the rest too short`;
}

/** Most bytes queued in any trial, and the configured limit. */
function queueText({ trials }: MixTrials): string {
  const queues = trials.flatMap(({ attempts: [first] }) => first?.details?.queue ?? []);
  const [first] = queues;
  if (!first) return 'unknown';
  const most = Math.max(...queues.map(({ mostBytes }) => mostBytes));
  return `${bytesText(most)} of ${bytesText(first.setBytes)}`;
}
