import { conditionName } from '../../experiments/condition.ts';
import { type Metric, worsening } from '../../ground/experiment.ts';
import { distributionChart, type Sample } from '../../kit/charts/distribution-chart.ts';
import { figure, lineLegend } from '../../kit/page/figure.ts';
import { conditionTitle, html, type Markup } from '../../kit/page/markup.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { capital } from '../../kit/text/capital.ts';
import { counted, countText } from '../../kit/text/number.ts';
import { headingUnit, unitPhrase, valueText } from '../../kit/text/value.ts';
import { reachedQuantile } from '../../statistics/quantile.ts';
import type { Block } from '../summary/blocks.ts';
import { valuesOf } from '../summary/paired-values.ts';
import { blocksIn, type ConditionView, type ReportView } from './view.ts';

const PERCENTS = [10, 25, 50, 75, 90];

/** Which share of the loads of a condition had at most so much of the metric of verdicts, all sites together. */
export function distributionFigure(view: ReportView, condition: ConditionView): Markup {
  const { metric } = view;
  const [, several] = view.experiment.attempt;
  const samples = samplesOf(view, blocksIn(view, condition), metric);
  return figure({
    name: `spread of ${metric.phrases}, ${conditionName(condition)}`,
    caption: html`<h4>${conditionTitle(condition)}</h4>`,
    legend: lineLegend(view.arms),
    chart: distributionChart(
      samples,
      `Line chart: share of the ${several} that ${withinText(metric)}, a line for each of ${counted(samples.length, 'stack')}, ${conditionName(condition)}. The table below it has some of its points.`,
      { measured: metric.label, unit: metric.unit, attempts: several },
    ),
    data: html`<table><caption>${metric.label}${unitPhrase(metric.unit)} ${metric.unit === 'ms' ? 'within which' : 'up to which'} a share of the ${several} ${metric.unit === 'ms' ? 'was done' : 'came'}, <bdi>${conditionName(condition)}</bdi></caption>
${pointsHead(view)}
<tbody>
${samples.map((sample) => pointsRow(sample, metric))}</tbody></table>`,
  });
}

/** The same of every other metric of which the loads of a condition have different numbers; the table has those of which they have one too. */
export function otherDistributions(view: ReportView, condition: ConditionView): Markup | null {
  const [, several] = view.experiment.attempt;
  const blocks = blocksIn(view, condition);
  const measured = view.experiment.metrics
    .filter(({ name }) => name !== view.metric.name)
    .map((metric) => ({ metric, samples: samplesOf(view, blocks, metric) }))
    .filter(({ samples }) => hasNumbers(samples));
  if (measured.length === 0) return null;
  const name = conditionName(condition);
  return figure({
    name: `spread of other metrics, ${name}`,
    caption: html`<h4>${conditionTitle(condition)}</h4>`,
    legend: lineLegend(view.arms),
    chart: html`<div class="panels">${measured
      .filter(({ samples }) => varies(samples))
      .map(({ metric, samples }) =>
        distributionChart(
          samples,
          `Line chart: share of the ${several} by ${metric.phrase}, ${name}. The table below has some of its points.`,
          { measured: metric.label, unit: metric.unit, attempts: several, small: true },
        ),
      )}</div>`,
    data: html`<table><caption>What a share of the ${several} had at most, <bdi>${name}</bdi></caption>
${pointsHead(view)}
${measured.map(
  ({
    metric,
    samples,
  }) => html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="${PERCENTS.length + 3}">${metric.label}${headingUnit(metric.unit)}</th></tr>
${samples.map((sample) => pointsRow(sample, metric))}</tbody>`,
)}</table>`,
  });
}

function hasNumbers(samples: readonly Sample[]): boolean {
  return samples.some(({ values }) => values.some(Number.isFinite));
}

function varies(samples: readonly Sample[]): boolean {
  return new Set(samples.flatMap(({ values }) => values.filter(Number.isFinite))).size > 1;
}

function pointsHead({ experiment }: ReportView): Markup {
  return html`<thead><tr><th scope="col" class="text">Stack</th>${PERCENTS.map((percent) => html`<th scope="col">${percent} %</th>`)}<th scope="col">${capital(experiment.attempt[1])}</th><th scope="col">Failed</th></tr></thead>`;
}

function pointsRow({ arm, values }: Sample, { unit }: Metric): Markup {
  const sorted = Float64Array.from(values).sort();
  const text = (value: number | null) =>
    value === null || Number.isFinite(value) ? valueText(value, unit) : 'failed';
  return html`<tr><th scope="row">${stackLabel(arm)}</th>${PERCENTS.map(
    (percent) => html`<td>${text(reachedQuantile(sorted, percent))}</td>`,
  )}<td>${countText(sorted.length)}</td><td>${countText(values.filter((value) => !Number.isFinite(value)).length)}</td></tr>`;
}

/** What failures do to the lines of a metric, as a sentence with a space before; null: there are none, or it leaves them out. */
export function failuresText(view: ReportView): string | null {
  const { experiment, metric, ofPages } = view;
  if (!hasFailures(view) || metric.failed === 'absent') return null;
  const [one] = experiment.attempt;
  return ` A ${one} that failed by its own ${ofPages ? 'server or page' : 'server'} counts as worse than all that ended: the line of a stack with failures ${worsening(1, metric) > 0 ? 'ends below 100 %' : 'begins above 0 %'}.`;
}

/** Whether a load failed by its own server or page. */
export function hasFailures({ blocks }: ReportView): boolean {
  return [...blocks.values()].flat().some(({ failed }) => failed.size > 0);
}

/** What the loads have that a line of such a chart has counted, in words. */
export function withinText({ unit }: Metric): string {
  return unit === 'ms' ? 'took no longer than a time' : 'had no more than a value';
}

/** The numbers of each stack's counted loads in these blocks, infinite where a load failed that counts. */
export function samplesOf(
  { arms }: ReportView,
  blocks: readonly Block[],
  metric: Metric,
): Sample[] {
  return arms.map((arm) => ({ arm, values: valuesOf(blocks, metric, arm.arm) }));
}
