import * as Plot from '@observablehq/plot';
import { median } from '../../statistics/median.ts';
import { signOf, verdictColour } from '../page/estimate.ts';
import type { Markup } from '../page/markup.ts';
import { type Estimate, estimateText, signed } from '../text/estimate.ts';
import type { Direction } from '../text/ratio-words.ts';
import { axisUnit, type Measured, shortAxisText } from '../text/value.ts';
import type { Verdict } from '../text/verdict.ts';
import { estimateFields, INTERVAL_COLUMNS, rowTexts } from './canvas.ts';
import { differenceRows } from './difference-rows.ts';
import { intervalMarks, placedIntervals } from './interval-marks.ts';

export interface SiteDifference {
  name: string;
  /** Stack - baseline in the metric's unit; null: failures leave none. */
  difference: Estimate | null;
  verdict: Verdict;
}

type Placed = SiteDifference & { place: number; estimate: Estimate };

/** An interval is cut where it reaches so many times as far as every bar and as the limits usually lie: one wild interval would flatten all bars. */
const FARTHEST = 2;

/**
 * A bar for each row from zero to its difference, in the order given, with its interval as a line: left the stack had less, right it
 * had more. The sign beside it is its verdict's; where nothing can be told, the bar is hollow.
 */
export function divergingChart(
  rows: readonly SiteDifference[],
  metric: Measured & Direction,
  ariaLabel: string,
): Markup {
  const rowPx = rows.length > 8 ? 20 : 26;
  const placed = rows.flatMap((row, place): Placed[] =>
    row.difference ? [{ ...row, place, estimate: row.difference }] : [],
  );
  return differenceRows(
    {
      names: rows.map(({ name }) => name),
      rowPx,
      ends: endsOf(placed.map(({ estimate }) => estimate)),
      unit: metric.unit,
      marginRight: 190,
    },
    ({ ends, unit }) => {
      const text = (value: number) =>
        signed(value, (size) => shortAxisText(size, metric.unit, unit));
      return [
        ...[...Map.groupBy(placed, ({ verdict }) => verdict)].map(([verdict, group]) =>
          Plot.barX(group, {
            y: 'place',
            x1: 0,
            x2: ({ estimate }: Placed) => estimate.estimate,
            insetTop: 3,
            insetBottom: 3,
            fill: verdictColour(verdict),
            fillOpacity: verdict === 'cannot tell' ? 0 : 0.4,
            stroke: verdictColour(verdict),
          }),
        ),
        ...intervalMarks(placedIntervals(placed, Number.NEGATIVE_INFINITY), ends),
        rowTexts(rows, 34, ({ difference }) => estimateText(difference, text) ?? '–'),
        ...[...Map.groupBy(rows.keys(), (place) => rows[place]?.verdict ?? 'cannot tell')].map(
          ([verdict, places]) =>
            Plot.text(places, {
              y: (place: number) => place,
              frameAnchor: 'right',
              dx: 22,
              text: () => signOf(verdict, metric),
              fill: verdictColour(verdict),
            }),
        ),
      ];
    },
    ariaLabel,
    {
      columns: [
        'Name',
        `Difference${axisUnit(metric.unit, 0).phrase}`,
        ...INTERVAL_COLUMNS,
        'Verdict',
      ],
      rows: () =>
        rows.map(({ name, difference, verdict }) => [name, ...estimateFields(difference), verdict]),
    },
  );
}

/** Ends of an axis with zero, every bar whole, and intervals as far as they leave the bars readable. */
function endsOf(estimates: readonly Estimate[]): [low: number, high: number] {
  const bars = estimates.map(({ estimate }) => estimate);
  const limits = estimates.flatMap(({ low, high }) => [low ?? [], high ?? []].flat());
  const farthest = FARTHEST * Math.max(median(limits.map(Math.abs)) ?? 0, ...bars.map(Math.abs));
  return [
    Math.min(0, ...bars, Math.max(-farthest, Math.min(...limits))),
    Math.max(0, ...bars, Math.min(farthest, Math.max(...limits))),
  ];
}
