import * as Plot from '@observablehq/plot';
import type { ChartData, Markup } from '../page/markup.ts';
import { signed } from '../text/estimate.ts';
import { type AxisUnit, axisText, axisUnit, type Measured } from '../text/value.ts';
import { drawn, GRID, type Marks, shortName } from './canvas.ts';

interface DifferenceRows {
  /** Of the rows, from the top. */
  names: readonly string[];
  rowPx: number;
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

const MARGIN_TOP_PX = 58;
const MARGIN_BOTTOM_PX = 8;

/** Draws marks in rows with names, each at its place from the top, over one axis of differences with zero marked: left of it a stack had less. */
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
  return drawn(
    {
      height: MARGIN_TOP_PX + MARGIN_BOTTOM_PX + names.length * rowPx,
      marginTop: MARGIN_TOP_PX,
      marginBottom: MARGIN_BOTTOM_PX,
      marginLeft: 210,
      marginRight,
      x: { domain, label: null },
      y: { type: 'band', domain: names.keys(), label: null, padding: 0, round: false },
    },
    [
      Plot.gridX({ ticks: 8, ...GRID }),
      Plot.axisX({
        anchor: 'top',
        ticks: 8,
        tickSize: 0,
        tickFormat: (value: number) => signed(value, (size) => axisText(size, axis)),
        label: null,
      }),
      Plot.ruleX([0], { stroke: 'var(--ink)', strokeWidth: 1.5 }),
      Plot.text([`◄ less${what}`], { frameAnchor: 'top-left', dy: -34, fill: 'var(--quiet)' }),
      Plot.text([`more${what}${axis.phrase && `,${axis.phrase}`} ►`], {
        frameAnchor: 'top-right',
        dy: -34,
        fill: 'var(--quiet)',
      }),
      Plot.axisY({
        tickSize: 0,
        tickFormat: (place: number) => shortName(names[place] ?? ''),
        fill: 'var(--ink)',
      }),
      ...marksOn({ ends: domain, unit: axis }),
    ],
    ariaLabel,
    data,
  );
}
