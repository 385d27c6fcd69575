import * as Plot from '@observablehq/plot';
import { quantile } from '../../statistics/quantile.ts';
import type { Markup } from '../page/markup.ts';
import { axisUnit, type Quantity } from '../text/value.ts';
import { differenceAxis, differenceDomain } from './axis.ts';
import { rowChart } from './row-chart.ts';

export interface DifferenceRow {
  name: string;
  /** Stack - baseline for each pair in the order of execution; infinite if one of the two failed. */
  differences: readonly number[];
  text: string;
}

/**
 * Dot plot of the differences of all pairs of loads, a row for each site, with zero marked; left: less for the
 * stack. Pairs go from the top of a row to its bottom in the order of execution; the rule marks their median.
 */
export function differenceChart(
  rows: readonly DifferenceRow[],
  colour: string,
  ariaLabel: string,
  unit: Quantity['unit'] = 'ms',
): Markup {
  const ends = differenceDomain(rows.flatMap(({ differences }) => differences));
  const { x, above } = differenceAxis(ends, unit);
  const pairs = rows.flatMap(({ differences }, row) =>
    differences.map((value, index) => ({
      x: Math.min(x.domain[1], Math.max(x.domain[0], value)),
      y: row + 0.8 * ((index + 0.5) / differences.length - 0.5),
      row,
      isFailed: !Number.isFinite(value),
    })),
  );
  const medians = rows.flatMap(({ differences }, row) => {
    const median = quantile(differences, 0.5);
    return median !== null && Number.isFinite(median) ? [{ row, median }] : [];
  });
  return rowChart(
    {
      rows,
      rowPx: rows.length > 8 ? 26 : 38,
      x,
      above,
      columns: [{ text: ({ text }) => text }],
    },
    [
      // One path for each row: an element for each pair would make up most of the page.
      Plot.line(
        pairs.flatMap((pair) => (pair.isFailed ? [] : [pair, { row: pair.row }])),
        {
          x: 'x',
          y: 'y',
          z: 'row',
          stroke: colour,
          strokeWidth: 4,
          strokeOpacity: 0.7,
          strokeLinecap: 'round',
        },
      ),
      Plot.dot(
        pairs.filter(({ isFailed }) => isFailed),
        { x: 'x', y: 'y', symbol: 'times', stroke: 'var(--verdict-slower)' },
      ),
      Plot.ruleX(medians, {
        x: 'median',
        y1: ({ row }: { row: number }) => row - 0.4,
        y2: ({ row }: { row: number }) => row + 0.4,
        stroke: 'var(--ink)',
        strokeWidth: 2.5,
      }),
    ],
    ariaLabel,
    {
      columns: ['Name', `Difference${axisUnit(unit, 0).phrase}`],
      rows: () =>
        rows.flatMap(({ name, differences }) => differences.map((value) => [name, value])),
    },
  );
}
