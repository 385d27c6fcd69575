import { reachedQuantile } from '../../statistics/quantile.ts';
import { figure, lineLegend } from '../page/figure.ts';
import { html, type Insert, type Markup } from '../page/markup.ts';
import { stackLabel } from '../page/stack.ts';
import { type Column, type Group, table } from '../page/table.ts';
import { countText } from '../text/number.ts';
import { headingUnit, type Quantity, valueText } from '../text/value.ts';
import { distributionChart, type Sample } from './distribution-chart.ts';

/** Values of each stack for one metric. */
export interface Spread {
  measured: Pick<Quantity, 'unit'> & { label: string };
  /** Noun for the measured items: `transfers`. */
  several: string;
  samples: readonly Sample[];
}

interface SpreadFigure {
  /** Unique name of the figure; no markup. */
  name: string;
  caption: Insert;
  spreads: readonly Spread[];
  /** Absent: the stacks. */
  legend?: Insert;
  /** Meaning of the lines. */
  each?: string;
}

const PERCENTS = [0, 10, 25, 50, 75, 90, 100];

/** Distributions: a chart for each metric with a line for each stack, and a table of points on these lines. */
export function spreadFigure({
  name,
  caption,
  spreads,
  legend,
  each = 'Stack',
}: SpreadFigure): Markup {
  const charts = spreads.filter(varies);
  const arms = new Map(spreads.flatMap(({ samples }) => samples.map(({ arm }) => [arm.arm, arm])));
  const small = spreads.length > 1;
  return figure({
    name,
    caption,
    legend: charts.length > 0 && (legend ?? lineLegend([...arms.values()])),
    chart:
      charts.length > 0 &&
      html`<div${small && html` class="panels"`}>${charts.map(
        ({ measured: { label, unit }, several, samples }) =>
          distributionChart(
            samples.filter(({ values }) => values.length > 0),
            `Line chart: share of the ${several} by ${label}, a line for each ${each.toLowerCase()}; ${name}. The table has points on them.`,
            { measured: label, unit, attempts: several, small },
          ),
      )}</div>`,
    data: pointsTable(spreads, name, each),
  });
}

function varies({ samples }: Spread): boolean {
  return new Set(samples.flatMap(({ values }) => values.filter(Number.isFinite))).size > 1;
}

interface Row extends Sample {
  unit: Quantity['unit'];
  sorted: Float64Array;
  failed: number;
}

function pointsTable(spreads: readonly Spread[], name: string, each: string): Markup {
  const groups = spreads.map(
    ({ measured: { label, unit }, several, samples }): Group<Row> => [
      `${label}${headingUnit(unit)}, ${several}`,
      samples.map(({ arm, values }) => ({
        arm,
        values,
        unit,
        sorted: Float64Array.from(values).sort(),
        failed: values.filter((value) => !Number.isFinite(value)).length,
      })),
    ],
  );
  const hasFailed = groups.some(([, rows]) => rows.some(({ failed }) => failed > 0));
  return table({
    caption: html`Value reached by each share: <bdi>${name}</bdi>`,
    columns: [
      [each, ({ arm }) => stackLabel(arm)],
      ...PERCENTS.map(
        (percent): Column<Row> => [
          `${percent} %`,
          ({ sorted, unit }) => pointText(reachedQuantile(sorted, percent), unit),
        ],
      ),
      ['Number', ({ sorted }) => countText(sorted.length)],
      hasFailed && ['Failed', ({ failed }) => countText(failed)],
    ],
    groups,
  });
}

function pointText(value: number | null, unit: Quantity['unit']): string {
  return value === null || Number.isFinite(value) ? valueText(value, unit) : 'failed';
}
