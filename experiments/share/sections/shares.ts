import { percentChart } from '../../../kit/charts/percent-chart.ts';
import { figure } from '../../../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { stackColour, stackLabel } from '../../../kit/page/stack.ts';
import { table } from '../../../kit/page/table.ts';
import { decimalText, millisecondsText, rateText } from '../../../kit/text/number.ts';
import { medianColumn, medianEstimate } from '../../estimates.ts';
import { drawConditions, hasAny } from '../../per-condition.ts';
import type { RunView } from '../../run-view.ts';
import { flowIn, type MixTrials, mixesOf } from './trials.ts';

export const shares: Section<RunView> = {
  isShown: hasAny(mixesOf),
  ...defineOpenSection('shares', 'Shares', (view) => ({
    title: 'Share of each flow in the bottleneck',
    content: html`<p>Shares of the goodput of all flows of a mix while all were active and had settled: the median over the repetitions, with its 95&nbsp;% interval. The dashed line is an
equal share. The file <code>sharing.csv</code> next to this one has every flow of every repetition.</p>
${drawConditions(view, (condition, name) => mixesOf(view, condition).map((mix) => mixFigure(mix, name)))}`,
  })),
};

function mixFigure({ subject, trials, flows }: MixTrials, name: string): Markup {
  const numbersOf =
    (key: 'sharePercent' | 'goodputKbps' | 'rttMs' | 'retransmitted') =>
    ({ flow }: MixTrials['flows'][number]) =>
      trials.map((trial) => flowIn(trial, flow)?.flow[key] ?? null);
  return figure({
    name: `shares of ${subject}, ${name}`,
    caption: html`<h4>${nameOf(subject)}</h4>`,
    chart: percentChart(
      flows.map((flow) => {
        const percent = medianEstimate(numbersOf('sharePercent')(flow));
        const text = percent ? `${decimalText(percent.estimate, 1)} %` : 'unknown';
        return { name: flow.label, colour: stackColour(flow), percent, text };
      }),
      `Bar chart: share of each flow of ${subject} in the bottleneck, ${name}. Its numbers are in the table below.`,
      100 / flows.length,
    ),
    data: table({
      caption: html`Medians over ${trials.length} repetitions, <bdi>${subject}</bdi>, <bdi>${name}</bdi>`,
      columns: [
        ['Flow', stackLabel],
        medianColumn('Share, %', numbersOf('sharePercent'), (value) => decimalText(value, 1)),
        medianColumn('Goodput', numbersOf('goodputKbps'), rateText),
        medianColumn('Round trip of its sender, ms', numbersOf('rttMs'), millisecondsText),
        medianColumn('Packets retransmitted', numbersOf('retransmitted'), (value) =>
          decimalText(value, 0),
        ),
      ],
      items: flows,
    }),
  });
}
