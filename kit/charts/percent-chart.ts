import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import type { Estimate } from '../text/estimate.ts';
import { decimalText } from '../text/number.ts';
import { estimateFields, INTERVAL_COLUMNS, rowTexts } from './canvas.ts';
import { rowChart } from './row-chart.ts';

export interface PercentBar {
  name: string;
  colour: string;
  /** null: not known. */
  percent: Estimate | null;
  /** Its number, right of the axis. */
  text: string;
}

const ROW_PX = 28;

/** Percentages as horizontal bars with their intervals; `fair`: what each would have if all had the same. */
export function percentChart(
  bars: readonly PercentBar[],
  ariaLabel: string,
  fair: number | null = null,
): Markup {
  const known = bars.flatMap(({ colour, percent }, place) =>
    percent ? [{ place, colour, ...percent }] : [],
  );
  const most = Math.max(fair ?? 100, ...known.map(({ estimate, high }) => high ?? estimate));
  const fairLine = fair === null ? [] : [fair];
  return rowChart(
    {
      names: bars.map(({ name }) => name),
      rowPx: ROW_PX,
      x: {
        domain: [0, Math.min(100, 1.05 * most)],
        ticks: 5,
        tickText: (percent) => `${percent} %`,
      },
      room: { marginTop: 24, marginLeft: 200, marginRight: 120 },
      belowPx: fair === null ? 6 : 26,
    },
    [
      Plot.barX(known, {
        x: 'estimate',
        y: 'place',
        fill: 'colour',
        insetTop: 4,
        insetBottom: 4,
      }),
      Plot.ruleX(fairLine, { stroke: 'var(--ink)', strokeDasharray: '5 4' }),
      Plot.text(fairLine, {
        x: (percent: number) => percent,
        text: (percent: number) => `fair: ${decimalText(percent, 1)} %`,
        frameAnchor: 'bottom',
        dy: 18,
        fill: 'var(--quiet)',
      }),
      Plot.link(
        known.filter(({ low }) => low !== null),
        { x1: 'low', x2: 'high', y: 'place', stroke: 'var(--ink)', strokeWidth: 1.5 },
      ),
      rowTexts(bars, 10, ({ text }) => text, 'var(--quiet)'),
    ],
    ariaLabel,
    {
      columns: ['Name', 'Share in %', ...INTERVAL_COLUMNS],
      rows: () => bars.map(({ name, percent }) => [name, ...estimateFields(percent)]),
    },
  );
}
