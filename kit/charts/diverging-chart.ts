import { median } from '../../statistics/median.ts';
import { signOf, verdictColour } from '../page/estimate.ts';
import type { Markup } from '../page/markup.ts';
import { type Estimate, estimateText, withSign } from '../text/estimate.ts';
import type { Direction } from '../text/ratio-words.ts';
import { axisUnit, type Quantity, shortAxisText } from '../text/value.ts';
import { type AxisDomain, differenceAxis } from './axis.ts';
import { estimateFields, INTERVAL_COLUMNS } from './canvas.ts';
import type { ForestRow } from './forest-chart.ts';
import { barMarks, intervalMarks, type RowMark, rowChart } from './row-chart.ts';

export type SiteDifference = Omit<ForestRow, 'ratio'>;

/** Clips intervals at this multiple of the largest bar and of the median limit: one wide interval would flatten all bars. */
const FARTHEST = 2;

/**
 * A bar for each row from zero to its difference, in the order given, with its interval as a line; left: less
 * for the stack. The sign of the verdict stands next to it; undecided bars are hollow.
 */
export function divergingChart(
  rows: readonly SiteDifference[],
  metric: Quantity & Direction,
  ariaLabel: string,
): Markup {
  const { unit } = metric;
  const marks = rows.flatMap(({ difference, verdict }, place): RowMark[] => {
    const fillOpacity = verdict === 'undecided' ? 0 : 0.4;
    const colour = verdictColour(verdict);
    return difference ? [{ place, estimate: difference, colour, fillOpacity }] : [];
  });
  const {
    x,
    above,
    unit: shownUnit,
  } = differenceAxis(differenceDomainOf(marks.map(({ estimate }) => estimate)), unit);
  const text = (value: number) => withSign(value, (size) => shortAxisText(size, unit, shownUnit));
  return rowChart(
    {
      rows,
      rowPx: rows.length > 8 ? 20 : 26,
      x,
      above,
      columns: [
        {
          text: ({ verdict }) => signOf(verdict, metric),
          fill: ({ verdict }) => verdictColour(verdict),
        },
        { text: ({ difference }) => estimateText(difference, text) ?? '–' },
      ],
    },
    [barMarks(marks), ...intervalMarks(marks, x.domain)],
    ariaLabel,
    {
      columns: ['Name', `Difference${axisUnit(unit, 0).phrase}`, ...INTERVAL_COLUMNS, 'Verdict'],
      rows: () =>
        rows.map(({ name, difference, verdict }) => [name, ...estimateFields(difference), verdict]),
    },
  );
}

/** Domain with zero, all whole bars, and intervals as far as bars remain readable. */
export function differenceDomainOf(estimates: readonly Estimate[]): AxisDomain {
  const bars = estimates.map(({ estimate }) => estimate);
  const limits = estimates.flatMap(({ low, high }) => [low ?? [], high ?? []].flat());
  const farthest = FARTHEST * Math.max(median(limits.map(Math.abs)) ?? 0, ...bars.map(Math.abs));
  return [
    Math.min(0, ...bars, Math.max(-farthest, Math.min(...limits))),
    Math.max(0, ...bars, Math.min(farthest, Math.max(...limits))),
  ];
}
