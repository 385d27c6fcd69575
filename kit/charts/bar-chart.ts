import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour } from '../page/stack.ts';
import { axisUnit, type Quantity, shortAxisText, valueWithUnit } from '../text/value.ts';
import { quantityAxis } from './axis.ts';
import { barMarks, rowChart } from './row-chart.ts';

export interface Bar {
  subject: string;
  arm: string;
  /** null: no counted load; a dash replaces the bar. */
  mean: number | null;
}

/** With more bars, numbers do not fit. */
const MOST_WITH_NUMBERS = 24;

/** Bar chart of means: a row for each site, with a bar for each stack. */
export function barChart(
  bars: readonly Bar[],
  arms: readonly ChartStack[],
  ariaLabel: string,
  { phrase, unit }: Quantity,
): Markup {
  const subjects = [...new Set(bars.map(({ subject }) => subject))];
  const means = bars.map(({ mean }) => mean ?? 0);
  const x = quantityAxis(means, { label: `Mean ${phrase}`, unit });
  const axis = axisUnit(unit, Math.max(0, ...means));
  const hasNumbers = bars.length <= MOST_WITH_NUMBERS;
  const height = 0.8 / arms.length;
  const marks = arms.flatMap((stack, index) =>
    bars
      .filter(({ arm }) => arm === stack.arm)
      .map(({ subject, mean }) => ({
        place: subjects.indexOf(subject) + height * (index - (arms.length - 1) / 2),
        estimate: { estimate: mean ?? 0, low: null, high: null },
        colour: stackColour(stack),
        fillOpacity: stack.pale ? 0.35 : 1,
        title: `${subject}, ${stack.label}: mean ${valueWithUnit(mean, unit)}`,
        text: mean === null ? '–' : hasNumbers ? shortAxisText(mean, unit, axis) : '',
      })),
  );
  return rowChart(
    {
      rows: subjects.map((name) => ({ name })),
      rowPx: (hasNumbers ? 18 : 9) * arms.length + 6,
      x,
      above: [x.label, ''],
    },
    [
      barMarks(
        marks.filter(({ text }) => text !== '–'),
        height,
      ),
      Plot.text(marks, {
        x: ({ estimate }) => estimate.estimate,
        y: 'place',
        text: 'text',
        textAnchor: 'start',
        dx: 5,
      }),
      Plot.ruleX([0], { stroke: 'var(--quiet)' }),
    ],
    ariaLabel,
    {
      arms,
      columns: ['Name', 'Stack', x.label],
      rows: () =>
        bars.map(({ subject, arm, mean }) => [
          subject,
          arms.find((each) => each.arm === arm)?.label ?? arm,
          mean === null ? null : mean / axis.factor,
        ]),
    },
  );
}
