import { conditionName } from '../../experiments/condition.ts';
import { type Metric, worsening } from '../../ground/experiment.ts';
import type { Sample } from '../../kit/charts/distribution-chart.ts';
import { type Spread, spreadFigure } from '../../kit/charts/spread.ts';
import { conditionTitle, html, type Markup } from '../../kit/page/markup.ts';
import type { Block } from '../summary/blocks.ts';
import { valuesOf } from '../summary/paired-values.ts';
import { blocksIn, type ConditionView, type ReportView } from './view.ts';

/** Cumulative distribution of the loads of a condition in the metric of verdicts, all sites together. */
export function distributionFigure(view: ReportView, condition: ConditionView): Markup {
  const { metric } = view;
  return spreadFigure({
    name: `spread of ${metric.phrases}, ${conditionName(condition)}`,
    caption: html`<h4>${conditionTitle(condition)}</h4>`,
    spreads: [spreadOf(view, condition, metric)],
  });
}

/** The same for every other metric that the loads of a condition have. */
export function otherDistributions(view: ReportView, condition: ConditionView): Markup | null {
  const spreads = view.experiment.metrics
    .filter(({ name }) => name !== view.metric.name)
    .map((metric) => spreadOf(view, condition, metric))
    .filter(({ samples }) => samples.some(({ values }) => values.some(Number.isFinite)));
  if (spreads.length === 0) return null;
  return spreadFigure({
    name: `spread of other metrics, ${conditionName(condition)}`,
    caption: html`<h4>${conditionTitle(condition)}</h4>`,
    spreads,
  });
}

function spreadOf(view: ReportView, condition: ConditionView, metric: Metric): Spread {
  const [, several] = view.experiment.attempt;
  return { measured: metric, several, samples: samplesOf(view, blocksIn(view, condition), metric) };
}

/** Effect of failures on the lines of a metric, as a sentence with a space before; null: no effect. */
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

/** What a line of such a chart counts, in words. */
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
