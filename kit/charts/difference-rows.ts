import * as Plot from '@observablehq/plot';
import type { ChartData } from '../page/chart.ts';
import type { Markup } from '../page/markup.ts';
import { signed } from '../text/estimate.ts';
import { type AxisUnit, axisText, axisUnit, type Measured } from '../text/value.ts';
import type { Marks } from './canvas.ts';
import { type RowChart, rowChart } from './row-chart.ts';

interface DifferenceRows extends Pick<RowChart, 'names' | 'rowPx'> {
  /** Of the axis, before some room beyond. */
  ends: readonly [low: number, high: number];
  unit: Measured['unit'];
  /** Room for what stands beside the rows. */
  marginRight: number;
}

interface DifferenceAxis {
  ends: readonly [low: number, high: number];
  unit: AxisUnit;
}

/** Draws rows over one axis of differences with zero marked: left of it a stack had less. */
export function differenceRows(
  { names, rowPx, ends, unit, marginRight }: DifferenceRows,
  marksOn: (axis: DifferenceAxis) => Marks,
  ariaLabel: string,
  data: ChartData,
): Markup {
  const axis = axisUnit(unit, Math.max(...ends.map(Math.abs)));
  const pad = Math.max(axis.finest, (ends[1] - ends[0]) * 0.08);
  const domain = [ends[0] - pad, ends[1] + pad] as const;
  const what = unit === 'ms' ? ' time' : '';
  const heading = { dy: -34, fill: 'var(--quiet)' };
  return rowChart(
    {
      names,
      rowPx,
      x: {
        domain,
        ticks: 8,
        tickText: (value) => signed(value, (size) => axisText(size, axis)),
        marked: 0,
      },
      room: { marginTop: 58, marginLeft: 210, marginRight },
      belowPx: 8,
      headings: [
        Plot.text([`◄ less${what}`], { frameAnchor: 'top-left', ...heading }),
        Plot.text([`more${what}${axis.phrase && `,${axis.phrase}`} ►`], {
          frameAnchor: 'top-right',
          ...heading,
        }),
      ],
    },
    marksOn({ ends: domain, unit: axis }),
    ariaLabel,
    data,
  );
}
