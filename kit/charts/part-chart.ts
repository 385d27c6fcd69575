import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour } from '../page/stack.ts';
import type { Estimate } from '../text/estimate.ts';
import { decimalText } from '../text/number.ts';
import { drawn, shortName } from './canvas.ts';
import { BAR_ROOM, intervalRule, percentAxes } from './share-chart.ts';

export interface Part {
  name: string;
  stack: ChartStack;
  /** In percent of the whole; null: not known. */
  percent: Estimate | null;
}

const ROW_PX = 30;

/** Parts of a whole as horizontal bars with their intervals, beside the part that each would have if all had the same. */
export function partChart(parts: readonly Part[], equalPercent: number, ariaLabel: string): Markup {
  const rows = parts.map(({ name, stack, percent }) => ({
    name: shortName(name),
    colour: stackColour(stack),
    ...percent,
  }));
  const known = rows.filter(({ estimate }) => estimate !== undefined);
  const withInterval = known.filter(({ low }) => low != null);
  const most = Math.max(equalPercent, ...known.map(({ estimate, high }) => high ?? estimate ?? 0));
  return drawn(
    {
      ...BAR_ROOM,
      height: 50 + rows.length * ROW_PX,
      marginBottom: 26,
      x: { domain: [0, Math.min(100, 1.05 * most)], label: null },
      y: { domain: rows.map(({ name }) => name), label: null, padding: 0.35 },
    },
    [
      ...percentAxes(),
      Plot.barX(known, { x: 'estimate', y: 'name', fill: 'colour' }),
      Plot.ruleX([equalPercent], { stroke: 'var(--ink)', strokeDasharray: '5 4' }),
      intervalRule(withInterval),
      Plot.text([equalPercent], {
        x: (percent: number) => percent,
        text: () => `fair: ${decimalText(equalPercent, 1)} %`,
        frameAnchor: 'bottom',
        dy: 18,
        fill: 'var(--quiet)',
      }),
      Plot.text(rows, {
        frameAnchor: 'right',
        y: 'name',
        text: ({ estimate }) =>
          estimate === undefined ? 'not known' : `${decimalText(estimate, 1)} %`,
        textAnchor: 'start',
        dx: 10,
        fill: 'var(--quiet)',
      }),
    ],
    ariaLabel,
    {
      columns: ['Name', 'Share in %', '95 % interval from', '95 % interval to'],
      rows: parts.map(({ name, percent }) => [
        name,
        percent?.estimate ?? null,
        percent?.low ?? null,
        percent?.high ?? null,
      ]),
    },
  );
}
