import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { drawn, GRID, type Marks } from './canvas.ts';

/** Of how many something is true. */
export interface Share {
  name: string;
  hits: number;
  n: number;
  /** 95 %; null: there is none. */
  interval: { low: number; high: number } | null;
}

const ROW_PX = 26;

/** Around horizontal bars with names and numbers beside them. */
export const BAR_ROOM = { marginTop: 24, marginLeft: 200, marginRight: 120 };

/** Axes of horizontal bars, each with a name, in percent. */
export function percentAxes(): Marks {
  const tickFormat = (percent: number) => `${percent} %`;
  return [
    Plot.gridX({ ...GRID, ticks: 5 }),
    Plot.axisX({ anchor: 'top', ticks: 5, tickSize: 0, label: null, tickFormat }),
    Plot.axisY({ tickSize: 0, fill: 'var(--ink)' }),
  ];
}

/** The intervals of such bars. */
export function intervalRule(rows: Plot.Data): Plot.Markish {
  const looks = { stroke: 'var(--ink)', strokeWidth: 1.5 };
  return Plot.ruleY(rows, { x1: 'low', x2: 'high', y: 'name', ...looks });
}

/** Shares as horizontal bars from 0 to 100 %, each with its interval and its counts. */
export function shareChart(shares: readonly Share[], ariaLabel: string): Markup {
  const rows = shares.map((share) => ({
    ...share,
    percent: share.n === 0 ? 0 : (100 * share.hits) / share.n,
    low: 100 * (share.interval?.low ?? 0),
    high: 100 * (share.interval?.high ?? 0),
  }));
  const known = rows.filter(({ interval }) => interval !== null);
  return drawn(
    {
      ...BAR_ROOM,
      height: 30 + rows.length * ROW_PX,
      marginBottom: 6,
      x: { domain: [0, 100], label: null },
      y: { domain: shares.map(({ name }) => name), label: null, padding: 0.3 },
    },
    [
      ...percentAxes(),
      Plot.barX(known, { x: 'percent', y: 'name', fill: 'var(--stack-1)' }),
      intervalRule(known),
      Plot.text(rows, {
        x: 100,
        y: 'name',
        text: ({ hits, n }) => (n === 0 ? 'not known' : `${hits} of ${n}`),
        textAnchor: 'start',
        dx: 10,
        fill: 'var(--quiet)',
      }),
    ],
    ariaLabel,
  );
}
