import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour, stackSymbol } from '../page/stack.ts';
import { bytesText, decimalText, millisecondsText } from '../text/number.ts';
import { CHART_WIDTH_PX, drawn, GRID, LABEL_ABOVE, LABEL_BELOW } from './canvas.ts';
import { roundTicks } from './distribution-chart.ts';

/** One dot: a site on one stack. */
export interface SitePoint {
  subject: string;
  arm: string;
  /** Objects or bytes of the page, above 0. */
  size: number;
  /** Time in ms, or a ratio to the baseline; above 0. */
  value: number;
}

/** What the axes of a scatter chart are. */
export interface ScatterAxes {
  size: 'objects' | 'bytes';
  value: 'median' | 'ratio';
  /** For ratios: the band that counts as the same. */
  marginPercent: number;
  /** Of what the times are. */
  measured: string;
}

/** Sites by the size of their pages and what they took, on logarithmic axes; half the width of the other charts. */
export function scatterChart(
  points: readonly SitePoint[],
  axes: ScatterAxes,
  arms: readonly ChartStack[],
  ariaLabel: string,
): Markup {
  const shown = points.filter(({ size, value }) => size > 0 && value > 0);
  const [smallest, largest] = extentOf(
    shown.map(({ size }) => size),
    1,
    10,
  );
  const margin = 1 + axes.marginPercent / 100;
  const ratio = axes.value === 'ratio';
  const values = shown.map(({ value }) => value);
  const [least, most] = extentOf(ratio ? [...values, 1 / margin, margin] : values, 1, 10);
  const sizeText = axes.size === 'objects' ? (size: number) => decimalText(size) : bytesText;
  const labelOf = new Map(arms.map(({ arm, label }) => [arm, label]));
  return drawn(
    {
      width: CHART_WIDTH_PX / 2,
      height: 300,
      marginTop: 28,
      marginBottom: 40,
      marginLeft: 56,
      marginRight: 16,
      x: { type: 'log', domain: [smallest / 1.15, largest * 1.15], label: null },
      y: { type: 'log', domain: [least / 1.08, most * 1.08], label: null },
    },
    [
      ratio && Plot.rectY([0], { y1: 1 / margin, y2: margin, fill: 'var(--band)' }),
      Plot.gridY({
        ticks: ratio ? ratioTicks(least, most) : roundTicks(least, most),
        ...GRID,
      }),
      ratio && Plot.ruleY([1], { stroke: 'var(--ink)' }),
      Plot.axisY({
        ...LABEL_ABOVE,
        ticks: ratio ? ratioTicks(least, most) : roundTicks(least, most),
        tickFormat: (value: number) => decimalText(value),
        label: ratio ? 'Ratio to the baseline' : `Median ${axes.measured} in ms`,
      }),
      Plot.axisX({
        ...LABEL_BELOW,
        ticks: roundTicks(smallest, largest),
        tickFormat: (size: number) =>
          axes.size === 'bytes' ? bytesText(size).replace('.0 ', ' ') : decimalText(size),
        label:
          axes.size === 'objects'
            ? 'Objects of the page (logarithmic)'
            : 'Size of the page (logarithmic)',
      }),
      ...arms.map((arm) =>
        Plot.dot(
          shown.filter((point) => point.arm === arm.arm),
          {
            x: 'size',
            y: 'value',
            r: 4,
            symbol: stackSymbol(arm),
            stroke: stackColour(arm),
            strokeWidth: 1.6,
            fill: stackColour(arm),
            fillOpacity: 0.25,
            title: ({ subject, size, value, arm: name }: SitePoint) =>
              `${subject}, ${labelOf.get(name) ?? name}: ${sizeText(size)}${axes.size === 'objects' ? ' objects' : ''}, ${ratio ? value.toFixed(2) : `${millisecondsText(value)} ms`}`,
          },
        ),
      ),
    ],
    ariaLabel,
  );
}

function extentOf(values: readonly number[], low: number, high: number): [number, number] {
  return values.length === 0 ? [low, high] : [Math.min(...values), Math.max(...values)];
}

function ratioTicks(low: number, high: number): number[] {
  const wide = Math.max(1 / low, high) > 1.6;
  const ticks = wide
    ? [0.1, 0.2, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10]
    : [0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4];
  return ticks.filter((tick) => tick >= low / 1.08 && tick <= high * 1.08);
}
