import { type Metric, metricNamed, numberOf } from '../../../ground/experiment.ts';
import { distributionChart } from '../../../kit/charts/distribution-chart.ts';
import { figure, lineLegend } from '../../../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { folded, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { countText } from '../../../kit/text/number.ts';
import { headingUnit, valueText } from '../../../kit/text/value.ts';
import { quantile } from '../../../statistics/quantile.ts';
import { byCondition, hasAny } from '../../by-condition.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import { transfer } from '../experiment.ts';
import { type Condition, countedOf, type Size, sizesOf } from './transfers.ts';

const SHOWN = [metricNamed(transfer, 'goodputKbps'), metricNamed(transfer, 'totalMs')];

const SHARES = [0, 0.25, 0.5, 0.75, 1];

export const spread: Section<RunView> = {
  isShown: hasAny(countedOf),
  ...folded('spread', 'Spread', (view) => ({
    title: 'Spread of goodput and total time',
    about: 'the share of transfers that reached a rate or were done by a time, size by size',
    content: html`<p>Each line rises from 0 to 100 % of a stack’s transfers of one size: at a number on the axis below, its height is the share of the transfers that had no more. Further to the right is faster
for goodput and slower for times; a steep line is steady.</p>
${byCondition(view, countedSizes, (size, name) => sizeFigure(view, size, name))}`,
  })),
};

function countedSizes(view: RunView, condition: Condition): Size[] {
  return sizesOf(countedOf(view, condition));
}

function sizeFigure(view: RunView, size: Size, name: string): Markup {
  const { arms, experiment } = view;
  const shown = SHOWN.map((metric) => ({ metric, samples: samplesOf(arms, size, metric) })).filter(
    ({ samples }) => samples.some(({ values }) => values.length > 0),
  );
  return figure({
    name: `spread of goodput and total time, ${size.subject}, ${name}`,
    caption: html`<h4>${nameOf(size.subject)}</h4>`,
    legend: lineLegend(arms),
    chart: html`<div class="${shown.length === 1 ? 'small-chart' : 'panels'}">${shown.map(
      ({ metric: { label, phrase, unit }, samples }) =>
        distributionChart(
          samples,
          `Line chart: share of the ${experiment.attempt[1]} with at most so much ${phrase}, a line for each stack, ${size.subject}, ${name}. The table below has some of its points.`,
          { measured: label, unit, attempts: experiment.attempt[1], small: true },
        ),
    )}</div>`,
    data: html`<table><caption>Least, quartiles and most, <bdi>${size.subject}</bdi>, <bdi>${name}</bdi></caption>
<thead><tr><th scope="col" class="text">Stack</th>${SHARES.map((share) => html`<th scope="col">${100 * share} %</th>`)}<th scope="col">Transfers</th></tr></thead>
${shown.map(
  ({
    metric: { label, unit },
    samples,
  }) => html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="${SHARES.length + 2}">${label}${headingUnit(unit)}</th></tr>
${samples.map(
  ({ arm, values }) =>
    html`<tr><th scope="row" class="stack">${stackLabel(arm)}</th>${SHARES.map((share) => html`<td>${valueText(quantile(values, share), unit)}</td>`)}<td>${countText(values.length)}</td></tr>`,
)}</tbody>`,
)}</table>`,
  });
}

function samplesOf(arms: readonly ShownArm[], { transfers }: Size, metric: Metric) {
  return arms.map((arm) => ({
    arm,
    values: (transfers.get(arm.arm) ?? []).flatMap((each) => numberOf(each, metric) ?? []),
  }));
}
