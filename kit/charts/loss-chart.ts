import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour, stackDashes, stackShape } from '../page/stack.ts';
import type { Estimate } from '../text/estimate.ts';
import { decimalText } from '../text/number.ts';
import { axisText, axisUnit, type Measured, valueWithUnit } from '../text/value.ts';
import { CHART_WIDTH_PX, drawn, GRID, LABEL_ABOVE, LABEL_BELOW } from './canvas.ts';

/** What a stack reaches at each loss, rising by it. */
interface LossySeries {
  arm: ChartStack;
  points: readonly LossyPoint[];
}

export interface LossyPoint extends Estimate {
  lossPercent: number;
}

/** How far apart the signs of stacks are set that stand at one loss, in pixels. */
const APART_PX = 5;

/** Numbers by the loss of the path, from zero: a line for each stack, signs with their intervals. Half the width of the other charts. */
export function lossChart(
  series: readonly LossySeries[],
  { label, unit }: Measured & { label: string },
  ariaLabel: string,
): Markup {
  const all = series.flatMap(({ points }) => points);
  const most = Math.max(0, ...all.map(({ estimate, high }) => high ?? estimate));
  const losses = [...new Set(all.map(({ lossPercent }) => lossPercent))];
  const largest = Math.max(...losses, 0) || 1;
  const axis = axisUnit(unit, most);
  return drawn(
    {
      width: CHART_WIDTH_PX / 2,
      height: 250,
      marginTop: 28,
      marginBottom: 38,
      marginLeft: 56,
      marginRight: 20,
      x: { domain: [-0.03 * largest, 1.03 * largest], label: null },
      y: { domain: [0, most === 0 ? 1 : 1.04 * most], label: null },
    },
    [
      Plot.gridY({ ticks: 5, ...GRID }),
      Plot.axisY({
        ...LABEL_ABOVE,
        ticks: 5,
        tickFormat: (value: number) => axisText(value, axis),
        label: `${label}${axis.phrase}`,
      }),
      Plot.axisX({
        ...LABEL_BELOW,
        ticks: 6,
        tickFormat: (percent: number) => decimalText(percent),
        label: 'Loss each way in %',
      }),
      ...series.flatMap(({ arm, points }, place) => {
        const dx = APART_PX * (place - (series.length - 1) / 2);
        return [
          Plot.line(points, {
            x: 'lossPercent',
            y: 'estimate',
            stroke: stackColour(arm),
            strokeWidth: 2,
            strokeDasharray: stackDashes(arm),
          }),
          Plot.ruleX(
            points.filter(({ low, high }) => low !== null && high !== null),
            {
              x: 'lossPercent',
              y1: 'low',
              y2: 'high',
              dx,
              stroke: stackColour(arm),
              strokeWidth: 1.5,
            },
          ),
          Plot.dot(points, {
            x: 'lossPercent',
            y: 'estimate',
            dx,
            r: 4.5,
            symbol: stackShape(arm).symbol,
            fill: stackColour(arm),
            stroke: 'var(--paper)',
            title: ({ lossPercent, estimate }: LossyPoint) =>
              `${arm.label}, ${decimalText(lossPercent)} % loss: ${valueWithUnit(estimate, unit)}`,
          }),
        ];
      }),
    ],
    ariaLabel,
  );
}
