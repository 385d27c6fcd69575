import type * as Plot from '@observablehq/plot';
import { quantile } from '../../statistics/quantile.ts';
import type { Markup } from '../page/markup.ts';
import { axisUnit, type Measured } from '../text/value.ts';
import { rowTexts, shape } from './canvas.ts';
import { differenceEnds } from './difference-ends.ts';
import { differenceRows } from './difference-rows.ts';

export interface DifferenceRow {
  name: string;
  /** Stack - baseline, pair by pair in the order made; infinite where one of the two failed. */
  differences: readonly number[];
  text: string;
}

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
  return differenceRows(
    {
      names: rows.map(({ name }) => name),
      rowPx,
      ends: differenceEnds(rows.flatMap(({ differences }) => differences)),
      unit,
      marginRight: 240,
    },
    ({ ends: [low, high] }) => {
      const clip = (value: number) => Math.min(high, Math.max(low, value));
      return [
        ...rows.map((row, place) => dots(row, { place, rowPx, colour, clip })),
        rowTexts(rows, 14, ({ text }) => text),
      ];
    },
    ariaLabel,
    {
      columns: ['Name', `Difference${axisUnit(unit, 0).phrase}`],
      rows: () =>
        rows.flatMap(({ name, differences }) => differences.map((value) => [name, value])),
    },
  );
}

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
