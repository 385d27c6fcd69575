import * as Plot from '@observablehq/plot';
import { verdictColour } from '../page/estimate.ts';
import type { Estimate } from '../text/estimate.ts';
import type { Verdict } from '../text/verdict.ts';
import type { Marks } from './canvas.ts';

/** An interval in its row; an end without a limit lies beyond every axis. */
export interface PlacedInterval {
  place: number;
  low: number;
  high: number;
  colour: string;
}

/** The intervals of those rows whose estimates have one; without a limit below they reach down to `lowest`. */
export function placedIntervals(
  rows: readonly { place: number; estimate: Estimate; verdict: Verdict }[],
  lowest: number,
): PlacedInterval[] {
  return rows.flatMap(({ place, estimate: { low, high }, verdict }) =>
    low === null && high === null
      ? []
      : [
          {
            place,
            low: low ?? lowest,
            high: high ?? Number.POSITIVE_INFINITY,
            colour: verdictColour(verdict),
          },
        ],
  );
}

/** A line for each interval; it runs to the axis' end, and into an arrow, where it goes on beyond. */
export function intervalMarks(
  intervals: readonly PlacedInterval[],
  ends: readonly [low: number, high: number],
): Marks {
  return [
    Plot.link(intervals, {
      x1: ({ low }: PlacedInterval) => Math.max(ends[0], low),
      x2: ({ high }: PlacedInterval) => Math.min(ends[1], high),
      y1: 'place',
      y2: 'place',
      stroke: 'colour',
      strokeWidth: 2,
    }),
    ...arrowMarks(intervals, ends),
  ];
}

/** An arrow at the axis' end for each interval that goes on beyond it. */
export function arrowMarks(
  intervals: readonly PlacedInterval[],
  [least, most]: readonly [low: number, high: number],
): Marks {
  const at = (x: number, sign: '←' | '→', isBeyond: (interval: PlacedInterval) => boolean) =>
    Plot.text(intervals.filter(isBeyond), {
      x,
      y: 'place',
      text: () => sign,
      textAnchor: sign === '←' ? 'start' : 'end',
      fontSize: 15,
      fill: 'colour',
    });
  return [at(least, '←', ({ low }) => low < least), at(most, '→', ({ high }) => high > most)];
}
