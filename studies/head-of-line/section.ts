import { conditionName } from '../../experiments/condition.ts';
import { losesPackets } from '../../ground/records/dimensions.ts';
import { distributionChart } from '../../kit/charts/distribution-chart.ts';
import { estimateMarkup } from '../../kit/page/estimate.ts';
import { figure, lineLegend } from '../../kit/page/figure.ts';
import { conditionTitle, html, type Markup, nameOf, siteName } from '../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../kit/page/section.ts';
import { type ChartStack, stackLabel } from '../../kit/page/stack.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { countWithNoun, decimalText, millisecondsText } from '../../kit/text/number.ts';
import type { ConditionView, ReportView } from '../../report/sections/view.ts';
import { apartFromLosses, type Delays, delaysOf } from './finish-times.ts';
import { lostResponsesText } from './lost-responses.ts';

/** Finish times of the objects of a page, with losses and without. */
export const finishTimesSection: Section<ReportView> = {
  isShown: (view) => view.ofPages && comparedConditions(view).length > 0,
  ...defineFoldedSection('head-of-line', 'What losses delay', (view) => ({
    about: 'finish times of the objects of a page, with losses and without',
    content: html`<p>TCP delivers bytes in order: all data of a connection that follow a lost packet wait until it is retransmitted, at least a round trip (<strong>head-of-line
blocking</strong>). Over QUIC only streams with bytes in the lost packet wait. Both senders then continue with a smaller congestion window, which delays later data.</p>
<p>A line shows the share of objects, the document included, that have finished at a time on the axis below, by the
median over the loads of the first, second and every further object. <strong>Thin and dotted</strong> is the same stack without losses. An object counts as delayed if it finished more than half a round
trip later than in the load of the same block without losses.</p>
${comparedConditions(view).map((compared) => ofCondition(view, compared))}`,
  })),
};

/** A condition with losses, and the one that differs from it only in losses. */
interface Compared {
  lossy: ConditionView;
  whole: ConditionView;
}

function comparedConditions({ conditions }: ReportView): Compared[] {
  return conditions.flatMap((lossy) => {
    // Half a round trip is the threshold of a delay.
    if (!losesPackets(lossy.network) || lossy.network.rttMs === 0) return [];
    const whole = conditions.find(
      ({ network, variant }) =>
        variant === lossy.variant &&
        !losesPackets(network) &&
        apartFromLosses(network) === apartFromLosses(lossy.network),
    );
    return whole ? [{ lossy, whole }] : [];
  });
}

function ofCondition(view: ReportView, { lossy, whole }: Compared): Markup {
  return html`<h3>${conditionTitle(lossy)}</h3>
${view.run.subjects.map(({ subject }) => ofSite(view, subject, { lossy, whole }))}`;
}

interface Row {
  arm: ChartStack;
  delays: Delays;
  /** Responses in the lost packet; null: no capture has them, or several packets were lost. */
  lost: string | null;
}

function ofSite(view: ReportView, subject: string, { lossy, whole }: Compared): Markup | null {
  const rows = view.arms.flatMap((arm): Row[] => {
    const loadsOf = ({ loads }: ConditionView) =>
      loads.filter(
        (load) => load.subject === subject && load.arm === arm.arm && view.counted.has(load.id),
      );
    const delays = delaysOf(loadsOf(lossy), loadsOf(whole), lossy.network.rttMs);
    if (delays === null) return [];
    const lost =
      lossy.network.lostPacket === undefined
        ? null
        : lostResponsesText(loadsOf(lossy), view.captures);
    return [{ arm, delays, lost }];
  });
  if (rows.length === 0) return null;
  const name = `${subject}, ${conditionName(lossy)}`;
  const knowsLost = rows.some(({ lost }) => lost !== null);
  return html`${figure({
    name: `finish times of objects, ${name}`,
    caption: html`<h4>${siteName(view, subject)}</h4>`,
    legend: lineLegend(rows.map(({ arm }) => arm)),
    chart: distributionChart(
      rows.flatMap(({ arm, delays: { finishMs } }) => [
        { arm: { ...arm, pale: true }, values: finishMs.whole },
        { arm, values: finishMs.lossy },
      ]),
      `Step chart: share of the objects of ${subject} that had finished over time, ${conditionName(lossy)} (${lossy.text}), a line for each of ${countWithNoun(rows.length, 'stack')} with losses and a dotted one without. The tables below have the numbers.`,
      { measured: 'Time since the document was requested', attempts: 'objects', linear: true },
    ),
    data: timesTable(rows, name),
  })}
${table({
  label: `Delays, ${name}`,
  caption: html`Objects that finished more than half a round trip (${decimalText(lossy.network.rttMs / 2)} ms) later: medians over pairs of loads, ${nameOf(name)}`,
  columns: [
    ['Stack', ({ arm }) => stackLabel(arm)],
    ['Pairs', ({ delays }) => delays.pairs],
    ['Objects delayed', ({ delays }) => estimateMarkup(delays.delayed, tenths)],
    ['of', ({ delays }) => delays.finishMs.whole.length],
    ['by, ms', ({ delays }) => estimateMarkup(delays.delayMs, millisecondsText)],
    [
      'Last object later by, ms',
      ({ delays }) => estimateMarkup(delays.lastDelayMs, millisecondsText),
    ],
    knowsLost && ['Responses in the lost packet', ({ lost }) => lost ?? '–', 'text'],
  ],
  items: rows,
})}`;
}

const tenths = (value: number) => decimalText(value, 1);

function timesTable(rows: readonly Row[], name: string): Markup {
  const at = (timesMs: readonly number[], share: number) =>
    millisecondsText(timesMs[Math.ceil(share * timesMs.length) - 1]);
  return table({
    caption: html`Time until this share of objects had finished, in ms, with losses and (in brackets) without, ${nameOf(name)}`,
    columns: [
      ['Objects, %', (share) => decimalText(100 * share)],
      ...rows.map(
        ({ arm, delays: { finishMs } }): Column<number> => [
          stackLabel(arm),
          (share) => `${at(finishMs.lossy, share)} (${at(finishMs.whole, share)})`,
        ],
      ),
    ],
    items: Array.from({ length: 10 }, (_, tenth) => (tenth + 1) / 10),
  });
}
