import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import type { Estimate } from '../text/estimate.ts';
import { decimalText } from '../text/number.ts';
import { estimateFields, INTERVAL_COLUMNS } from './canvas.ts';
import { barMarks, intervalMarks, rowChart } from './row-chart.ts';

export interface PercentBar {
  name: string;
  colour: string;
  /** null: unknown. */
  percent: Estimate | null;
  /** Text right of the axis. */
  text: string;
}

/** Percentages as bars with intervals; `fair`: the share of each if all were equal. */
export function percentChart(
  bars: readonly PercentBar[],
  ariaLabel: string,
  fairPercent: number | null = null,
): Markup {
  const marks = bars.flatMap(({ colour, percent }, place) =>
    percent ? [{ place, colour, estimate: percent }] : [],
  );
  const most = marks.map(({ estimate: { estimate, high } }) => high ?? estimate);
  const domain = [0, Math.min(100, 1.05 * Math.max(fairPercent ?? 100, ...most))] as const;
  const fairLine = fairPercent === null ? [] : [fairPercent];
  return rowChart(
    {
      rows: bars,
      rowPx: 28,
      x: { label: 'Share in %', domain, ticks: 5, tickText: (percent) => `${percent} %` },
      columns: [{ text: ({ text }) => text }],
      belowPx: fairPercent === null ? 8 : 26,
    },
    [
      barMarks(marks),
      Plot.ruleX(fairLine, { stroke: 'var(--ink)', strokeDasharray: '5 4' }),
      Plot.text(fairLine, {
        x: (percent: number) => percent,
        text: (percent: number) => `fair: ${decimalText(percent, 1)} %`,
        frameAnchor: 'bottom',
        dy: 18,
        fill: 'var(--quiet)',
      }),
      ...intervalMarks(
        marks.map((mark) => ({ ...mark, colour: 'var(--ink)' })),
        domain,
      ),
    ],
    ariaLabel,
    {
      columns: ['Name', 'Share in %', ...INTERVAL_COLUMNS],
      rows: () => bars.map(({ name, percent }) => [name, ...estimateFields(percent)]),
    },
  );
}
