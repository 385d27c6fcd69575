import { percentChart } from '../../../kit/charts/percent-chart.ts';
import { estimateMarkup } from '../../../kit/page/estimate.ts';
import { figure } from '../../../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineOpenSection, type Section } from '../../../kit/page/section.ts';
import { stackColour, stackLabel } from '../../../kit/page/stack.ts';
import { decimalText, millisecondsText, rateText } from '../../../kit/text/number.ts';
import { medianEstimate } from '../../estimates.ts';
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

function mixFigure(mix: MixTrials, name: string): Markup {
  const { subject, trials, flows } = mix;
  const parts = flows.map((stack) => {
    const own = trials.map((trial) => flowIn(trial, stack.flow)?.flow ?? null);
    const numbersOf = (key: 'sharePercent' | 'goodputKbps' | 'rttMs' | 'retransmitted') =>
      medianEstimate(own.map((flow) => flow?.[key] ?? null));
    return { stack, percent: numbersOf('sharePercent'), numbersOf };
  });
  return figure({
    name: `shares of ${subject}, ${name}`,
    caption: html`<h4>${nameOf(subject)}</h4>`,
    chart: percentChart(
      parts.map(({ stack, percent }) => ({
        name: stack.label,
        colour: stackColour(stack),
        percent,
        text: percent ? `${decimalText(percent.estimate, 1)} %` : 'unknown',
      })),
      `Bar chart: share of each flow of ${subject} in the bottleneck, ${name}. Its numbers are in the table below.`,
      100 / flows.length,
    ),
    data: html`<table><caption>Medians over ${trials.length} repetitions, <bdi>${subject}</bdi>, <bdi>${name}</bdi></caption>
<thead><tr><th scope="col" class="text">Flow</th><th scope="col">Share, %</th><th scope="col">Goodput</th><th scope="col">Round trip of its sender, ms</th><th scope="col">Packets retransmitted</th></tr></thead>
<tbody>${parts.map(
      ({ stack, numbersOf }) =>
        html`<tr><th scope="row">${stackLabel(stack)}</th><td>${estimateMarkup(numbersOf('sharePercent'), (value) => decimalText(value, 1))}</td><td>${estimateMarkup(numbersOf('goodputKbps'), rateText)}</td><td>${estimateMarkup(numbersOf('rttMs'), millisecondsText)}</td><td>${estimateMarkup(numbersOf('retransmitted'), (value) => decimalText(value, 0))}</td></tr>`,
    )}</tbody></table>`,
  });
}
