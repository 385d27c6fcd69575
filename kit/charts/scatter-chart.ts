import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour } from '../page/stack.ts';
import { CHART_WIDTH_PX, drawn, extentOf, GRID, LABEL_ABOVE, LABEL_BELOW } from './canvas.ts';
import { roundTicks } from './distribution-chart.ts';
import { stackDots } from './stack-marks.ts';

/** One sign: a site, or an attempt, on one stack. Both numbers are above 0. */
export interface ScatterPoint {
  name: string;
  arm: string;
  x: number;
  y: number;
}

/** One axis of a scatter chart, logarithmic. */
export interface ScatterAxis {
  label: string;
  /** A number as it stands beside a sign. */
  text(value: number): string;
  /** The same at a tick; absent: the same. */
  tickText?(value: number): string;
}

/** Two numbers of each point, on logarithmic axes; half the width of the other charts. */
export function scatterChart(
  points: readonly ScatterPoint[],
  {
    x,
    y,
    ratioMarginPercent = null,
  }: {
    x: ScatterAxis;
    y: ScatterAxis;
    /** y are ratios to the baseline, and so much of them counts as the same; absent: they are none. */
    ratioMarginPercent?: number | null;
  },
  arms: readonly ChartStack[],
  ariaLabel: string,
): Markup {
  const shown = points.filter((point) => point.x > 0 && point.y > 0);
  const [leftmost, rightmost] = extentOf(shown.map((point) => point.x));
  const margin = ratioMarginPercent === null ? null : 1 + ratioMarginPercent / 100;
  const [least, most] = extentOf([
    ...shown.map((point) => point.y),
    ...(margin === null ? [] : [1 / margin, margin]),
  ]);
  const yTicks = margin === null ? roundTicks(least, most) : ratioTicks(least, most);
  return drawn(
    {
      width: CHART_WIDTH_PX / 2,
      height: 300,
      marginTop: 28,
      marginBottom: 40,
      marginLeft: 56,
      marginRight: 16,
      x: { type: 'log', domain: [leftmost / 1.15, rightmost * 1.15], label: null },
      y: { type: 'log', domain: [least / 1.08, most * 1.08], label: null },
    },
    [
      margin !== null && Plot.rectY([0], { y1: 1 / margin, y2: margin, fill: 'var(--band)' }),
      Plot.gridY({ ticks: yTicks, ...GRID }),
      margin !== null && Plot.ruleY([1], { stroke: 'var(--ink)' }),
      // Texts of their own: of a logarithmic scale's the library leaves out some.
      Plot.axisY(yTicks, { ...LABEL_ABOVE, text: y.tickText ?? y.text, label: y.label }),
      Plot.axisX(roundTicks(leftmost, rightmost), {
        ...LABEL_BELOW,
        text: x.tickText ?? x.text,
        label: `${x.label} (logarithmic)`,
      }),
      ...arms.map((arm) =>
        stackDots(
          arm,
          shown.filter((point) => point.arm === arm.arm),
          {
            x: 'x',
            y: 'y',
            r: 4,
            stroke: stackColour(arm),
            strokeWidth: 1.6,
            fillOpacity: 0.25,
            title: (point: ScatterPoint) =>
              `${point.name}, ${arm.label}: ${x.text(point.x)}, ${y.text(point.y)}`,
          },
        ),
      ),
    ],
    ariaLabel,
  );
}

function ratioTicks(low: number, high: number): number[] {
  const wide = Math.max(1 / low, high) > 1.6;
  const ticks = wide
    ? [0.1, 0.2, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10]
    : [0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4];
  return ticks.filter((tick) => tick >= low / 1.08 && tick <= high * 1.08);
}
