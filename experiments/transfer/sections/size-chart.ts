import { type AxisText, logAxis, spacedTicks } from '../../../kit/charts/axis.ts';
import { lines, type Point, symbols, type XyChart } from '../../../kit/charts/xy-chart.ts';
import { sizeText } from '../../../kit/text/number.ts';
import type { RunView } from '../../run-view.ts';
import { isAbove0, medianEstimateOf, type Size, type Transfer } from './transfers.ts';

/** Medians of each size, on logarithmic axes. */
export function chartBySize(
  { arms }: Pick<RunView, 'arms'>,
  sizes: readonly Size[],
  numberIn: (transfer: Transfer) => number | null,
  words: AxisText,
): XyChart {
  const series = arms.map((arm) => ({
    arm,
    points: sizes.flatMap(({ bytes, transfers }): Point[] => {
      const middle = medianEstimateOf(transfers.get(arm.arm), numberIn);
      if (middle === null || !isAbove0(middle.estimate)) return [];
      const { estimate: y, low, high } = middle;
      // A logarithmic axis cannot show 0.
      return [{ x: bytes, y, ...(isAbove0(low) && { low, high }) }];
    }),
  }));
  const all = series.flatMap(({ points }) => points);
  const bytes = all.map(({ x }) => x);
  return {
    x: logAxis(bytes, {
      label: 'Size',
      column: 'Size in bytes',
      text: sizeText,
      ticks: spacedTicks(bytes),
    }),
    y: logAxis(
      all.flatMap(({ y, low, high }) => [y ?? [], low ?? [], high ?? []].flat()),
      words,
    ),
    series,
    marks: [lines, symbols],
  };
}
