import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour } from '../page/stack.ts';
import { axisText, axisUnit, type Measured, shortAxisText, valueWithUnit } from '../text/value.ts';
import { CHART_WIDTH_PX, drawn, GRID, LABEL_ABOVE, shortName } from './canvas.ts';

export interface Bar {
  subject: string;
  arm: string;
  /** null: no load counts; the bar is missing and a dash stands in its place. */
  mean: number | null;
}

/** So many bars leave room for a number above each. */
const BARS_WITH_NUMBERS = 24;

/** Means as vertical bars from zero: sites side by side, in each site a bar for each stack. */
export function barChart(
  bars: readonly Bar[],
  arms: readonly ChartStack[],
  ariaLabel: string,
  { phrase, unit }: Measured,
): Markup {
  const subjects = [...new Set(bars.map(({ subject }) => subject))];
  const longest = Math.max(0, ...bars.map(({ mean }) => mean ?? 0));
  const axis = axisUnit(unit, longest);
  const numbered = bars.length <= BARS_WITH_NUMBERS;
  const slanted = subjects.length > 6;
  // Few sites would have bars as wide as a hand.
  const marginRight = subjects.length < 4 ? CHART_WIDTH_PX * (0.55 - 0.12 * subjects.length) : 8;
  const shown = bars.filter(({ mean }) => mean !== null);
  return drawn(
    {
      height: slanted ? 476 : 360,
      marginTop: 30,
      marginBottom: slanted ? 136 : 28,
      marginLeft: slanted ? 84 : 56,
      marginRight,
      x: { domain: arms.map(({ arm }) => arm), axis: null, padding: 0.06 },
      fx: { domain: subjects, label: null, padding: 0.2 },
      y: { domain: [0, Math.max(axis.finest, longest) * 1.04], label: null },
    },
    [
      Plot.gridY({ ...GRID, ticks: 6 }),
      Plot.axisY({
        ...LABEL_ABOVE,
        label: `Mean ${phrase}${axis.phrase}`,
        ticks: 6,
        ...(axis.factor !== 1 && { tickFormat: (value: number) => axisText(value, axis) }),
      }),
      Plot.axisFx({
        anchor: 'bottom',
        tickSize: 0,
        tickFormat: (subject: string) => shortName(subject, 22),
        ...(slanted && { tickRotate: -45, textAnchor: 'end' }),
      }),
      ...arms.map((arm) =>
        Plot.barY(
          shown.filter((bar) => bar.arm === arm.arm),
          {
            fx: 'subject',
            x: 'arm',
            y: 'mean',
            fill: stackColour(arm),
            ...(arm.pale && { fillOpacity: 0.35, stroke: stackColour(arm), insetTop: 0.5 }),
            title: (bar: Bar) =>
              `${bar.subject}, ${arm.label}: mean ${valueWithUnit(bar.mean, unit)}`,
          },
        ),
      ),
      Plot.text(numbered ? bars : bars.filter(({ mean }) => mean === null), {
        fx: 'subject',
        x: 'arm',
        y: (bar: Bar) => bar.mean ?? 0,
        text: ({ mean }: Bar) => (mean === null ? '–' : shortAxisText(mean, unit, axis)),
        dy: -7,
        fill: 'var(--quiet)',
      }),
      Plot.ruleY([0], { stroke: 'var(--quiet)' }),
    ],
    ariaLabel,
    {
      arms,
      columns: ['Name', 'Stack', `Mean ${phrase}${axis.phrase}`],
      rows: () =>
        bars.map(({ subject, arm, mean }) => [
          subject,
          arms.find((each) => each.arm === arm)?.label ?? arm,
          mean === null ? null : mean / axis.factor,
        ]),
    },
  );
}
