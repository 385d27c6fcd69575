import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import type { ChartStack } from '../page/stack.ts';
import type { Estimate } from '../text/estimate.ts';
import { decimalText } from '../text/number.ts';
import { axisText, axisUnit, type Measured, valueWithUnit } from '../text/value.ts';
import { CHART_WIDTH_PX, drawn, GRID, LABEL_ABOVE, LABEL_BELOW } from './canvas.ts';
import { measuredLines } from './stack-marks.ts';

export type LossyPoint = Estimate & { lossPercent: number };

interface LossySeries {
  arm: ChartStack;
  points: readonly LossyPoint[];
}

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
      ...measuredLines(
        series,
        { x: 'lossPercent', y: 'estimate' },
        ({ lossPercent, estimate }) =>
          `${decimalText(lossPercent)} % loss: ${valueWithUnit(estimate, unit)}`,
      ),
    ],
    ariaLabel,
  );
}
