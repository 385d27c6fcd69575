import { conditionName } from '../../experiments/condition.ts';
import { worsening } from '../../ground/experiment.ts';
import { divergingChart } from '../../kit/charts/diverging-chart.ts';
import { estimateMarkup, verdictMarkup } from '../../kit/page/estimate.ts';
import { figure, legend } from '../../kit/page/figure.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { conditionTitle, siteName } from '../../kit/page/name.ts';
import { capital } from '../../kit/text/capital.ts';
import { counted } from '../../kit/text/number.ts';
import { headingUnit, signedValueText, unitPhrase } from '../../kit/text/value.ts';
import { sideOf, VERDICTS, verdictWord } from '../../kit/text/verdict.ts';
import type { Comparison } from '../summary/comparison.ts';
import type { ComparedStack, ConditionView, ReportView } from './view.ts';

/** By how much a stack was better or worse than its baseline under one condition, a bar for each site, the best first. */
export function siteDifferences(
  view: ReportView,
  condition: ConditionView,
  arm: ComparedStack,
): Markup | null {
  const { metric } = view;
  const rank = (comparison: Comparison) => worsening(placeOf(comparison, view), metric);
  const sorted = condition.comparisons
    .filter((each) => each.arm === arm.arm && each.nPairs > 0)
    .toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
  if (sorted.length === 0) return null;
  const pair = `${arm.label} against ${arm.baseline.label}`;
  const name = `differences of ${metric.phrases} by ${view.experiment.site[0]}, ${pair}, ${conditionName(condition)}`;
  const shown = VERDICTS.filter((verdict) => sorted.some((each) => each.verdict === verdict));
  return figure({
    name,
    caption: html`<h4>${pair}<span class="numbers">, </span>${conditionTitle(condition)}</h4>`,
    legend: legend(shown.map((verdict) => verdictMarkup(verdict, metric))),
    chart: divergingChart(
      sorted.map(({ subject, difference, verdict }) => ({ name: subject, difference, verdict })),
      metric,
      `Diverging bar chart: ${name}, a bar for each of ${counted(sorted.length, ...view.experiment.site)}, from ${metric.words.join(' to ')}, with 95 % intervals. The table below it has the same numbers.`,
    ),
    data: html`<table><caption>Difference${unitPhrase(metric.unit)} with its 95 % interval: <bdi>${pair}</bdi>, <bdi>${conditionName(condition)}</bdi></caption>
<thead><tr><th scope="col" class="text">${capital(view.experiment.site[0])}</th><th scope="col">Difference${headingUnit(metric.unit)}</th><th scope="col" class="text">Verdict</th><th scope="col">Pairs</th></tr></thead>
<tbody>
${sorted.map(
  ({ subject, difference, verdict, nPairs }) =>
    html`<tr><th scope="row">${siteName(view, subject)}</th><td>${estimateMarkup(difference, (value) => signedValueText(value, metric.unit))}</td><td class="text">${verdictWord(verdict, metric)}</td><td>${nPairs}</td></tr>
`,
)}</tbody></table>`,
  });
}

/** Where failures leave no difference, the verdict still tells to which side a site belongs; what tells nothing comes last. */
function placeOf({ difference, verdict }: Comparison, { metric }: ReportView): number {
  if (difference !== null) return difference.estimate;
  const side = sideOf(verdict, metric) ?? (worsening(1, metric) > 0 ? 'above' : 'below');
  return side === 'above' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}
