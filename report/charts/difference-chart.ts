import * as Plot from '@observablehq/plot';
import { quantile } from '../../statistics/quantile.ts';
import type { Markup } from '../page/markup.ts';
import { signed } from '../text/estimate.ts';
import { axisText, axisUnit, type Measured } from '../text/value.ts';
import { drawn, GRID, shape, shortName } from './canvas.ts';
import { differenceEnds } from './difference-ends.ts';

/** The pairs of one site. */
export interface DifferenceRow {
  name: string;
  /** Stack - baseline, pair by pair in the order made; infinite where one of the two failed. */
  differences: readonly number[];
  /** What stands beside the row. */
  text: string;
}

const MARGIN_TOP_PX = 58;
const DOT_PX = 4;

/**
 * Every pair of loads as a dot at its difference, a row for each site, with zero marked: left of it the stack had less. From
 * the top of a row to its bottom the pairs come in the order made; the rule across is their median.
 */
export function differenceChart(
  rows: readonly DifferenceRow[],
  colour: string,
  ariaLabel: string,
  unit: Measured['unit'] = 'ms',
): Markup {
  const rowPx = rows.length > 8 ? 26 : 38;
  const ends = differenceEnds(rows.flatMap(({ differences }) => differences));
  const axis = axisUnit(unit, Math.max(...ends.map(Math.abs)));
  const pad = Math.max(axis.finest, (ends[1] - ends[0]) * 0.08);
  const [low, high] = [ends[0] - pad, ends[1] + pad];
  const what = unit === 'ms' ? ' time' : '';
  const clip = (value: number) => Math.min(high, Math.max(low, value));
  return drawn(
    {
      height: MARGIN_TOP_PX + 8 + rows.length * rowPx,
      marginTop: MARGIN_TOP_PX,
      marginBottom: 8,
      marginLeft: 210,
      marginRight: 240,
      x: { domain: [low, high], label: null },
      y: {
        type: 'band',
        domain: rows.map((_, place) => place),
        label: null,
        padding: 0,
        round: false,
      },
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
        tickFormat: (place: number) => shortName(rows[place]?.name ?? ''),
        fill: 'var(--ink)',
      }),
      ...rows.map((row, place) => dots(row, { place, rowPx, colour, clip })),
      Plot.text(rows, {
        y: (_: DifferenceRow, place: number) => place,
        frameAnchor: 'right',
        textAnchor: 'start',
        dx: 14,
        text: 'text',
        fill: 'var(--ink)',
      }),
    ],
    ariaLabel,
  );
}

/** All pairs of a row as two paths, dots and the crosses of failures, and their median. */
function dots(
  { differences }: DifferenceRow,
  {
    place,
    rowPx,
    colour,
    clip,
  }: { place: number; rowPx: number; colour: string; clip: (value: number) => number },
): Plot.RenderFunction {
  return (_, scales, __, ___, context) => {
    const group = shape(context, 'g', {});
    const top = Number(scales.y?.(place)) + 0.1 * rowPx;
    const heightPx = 0.8 * rowPx;
    const at = differences.map((value, index) => ({
      isFailed: !Number.isFinite(value),
      x: Number(scales.x?.(clip(value))).toFixed(1),
      y: (top + (heightPx * (index + 0.5)) / differences.length).toFixed(1),
    }));
    const path = (attributes: Record<string, string>) =>
      attributes.d !== '' && group.append(shape(context, 'path', { fill: 'none', ...attributes }));
    path({
      d: at.map(({ isFailed, x, y }) => (isFailed ? '' : `M${x},${y}h0`)).join(''),
      stroke: colour,
      'stroke-width': `${DOT_PX}`,
      'stroke-opacity': '0.7',
      'stroke-linecap': 'round',
    });
    path({
      d: at
        .map(({ isFailed, x, y }) => (isFailed ? `M${x},${y}m-3,-3l6,6m0,-6l-6,6` : ''))
        .join(''),
      stroke: 'var(--verdict-slower)',
      'stroke-width': '1.6',
    });
    const middle = quantile(differences, 0.5);
    if (middle !== null && Number.isFinite(middle)) {
      path({
        d: `M${Number(scales.x?.(clip(middle))).toFixed(1)},${top.toFixed(1)}v${heightPx.toFixed(1)}`,
        stroke: 'var(--ink)',
        'stroke-width': '2.5',
      });
    }
    return group;
  };
}
