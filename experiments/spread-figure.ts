import { distributionChart, type Sample } from '../kit/charts/distribution-chart.ts';
import { figure, lineLegend } from '../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../kit/page/markup.ts';
import { type ChartStack, stackLabel } from '../kit/page/stack.ts';
import { countText } from '../kit/text/number.ts';
import { headingUnit, type Measured, valueText } from '../kit/text/value.ts';
import { quantile } from '../statistics/quantile.ts';

/** The numbers of each stack for one metric. */
interface Spread {
  measured: Pick<Measured, 'unit'> & { label: string };
  /** What has these numbers: `transfers`. */
  several: string;
  samples: readonly Sample[];
}

const SHARES = [0, 0.25, 0.5, 0.75, 1];

/** How the numbers of some metrics are spread on one subject: a chart for each metric, and a table of quartiles. */
export function spreadFigure(
  { what, subject, name }: { what: string; subject: string; name: string },
  arms: readonly ChartStack[],
  spreads: readonly Spread[],
): Markup {
  const charts = spreads
    .map((each) => ({ ...each, samples: each.samples.filter(({ values }) => values.length > 0) }))
    .filter(({ samples }) => samples.length > 0);
  return figure({
    name: `spread of ${what}, ${subject}, ${name}`,
    caption: html`<h4>${nameOf(subject)}</h4>`,
    legend: lineLegend(arms),
    chart: html`<div class="${charts.length === 1 ? 'small-chart' : 'panels'}">${charts.map(
      ({ measured: { label, unit }, several, samples }) =>
        distributionChart(
          samples,
          `Line chart: share of the ${several} by ${label}, a line for each stack, ${subject}, ${name}. The table below has some of its points.`,
          { measured: label, unit, attempts: several, small: true },
        ),
    )}</div>`,
    data: html`<table><caption>Least, quartiles and most, <bdi>${subject}</bdi>, <bdi>${name}</bdi></caption>
<thead><tr><th scope="col" class="text">Stack</th>${SHARES.map((share) => html`<th scope="col">${100 * share} %</th>`)}<th scope="col">Number</th></tr></thead>
${spreads.map(
  ({ measured: { label, unit }, several, samples }) =>
    html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="${SHARES.length + 2}">${label}${headingUnit(unit)}, ${several}</th></tr>
${samples.map(
  ({ arm, values }) =>
    html`<tr><th scope="row" class="stack">${stackLabel(arm)}</th>${SHARES.map((share) => html`<td>${valueText(quantile(values, share), unit)}</td>`)}<td>${countText(values.length)}</td></tr>`,
)}</tbody>`,
)}</table>`,
  });
}
