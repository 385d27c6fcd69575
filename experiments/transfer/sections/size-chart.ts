import { type AxisText, logAxis, spacedTicks } from '../../../kit/charts/axis.ts';
import { lines, type Point, symbols, type XyChart } from '../../../kit/charts/xy-chart.ts';
import { estimateMarkup } from '../../../kit/page/estimate.ts';
import { type Markup, nameOf } from '../../../kit/page/markup.ts';
import { type ChartStack, stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
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

/** A stack's transfers of one size. */
interface OwnTransfers {
  arm: ChartStack;
  own: readonly Transfer[];
}

type SizeColumn = Column<OwnTransfers>;

/** Medians with their intervals. */
export function estimateColumn(
  heading: string,
  numberIn: (transfer: Transfer) => number | null,
  text: (value: number) => string,
): SizeColumn {
  return [heading, ({ own }) => estimateMarkup(medianEstimateOf(own, numberIn), text)];
}

/** A row for each stack, below each size. */
export function sizesTable(
  { arms }: Pick<RunView, 'arms'>,
  sizes: readonly Size[],
  caption: Markup,
  columns: readonly SizeColumn[],
): Markup {
  return table({
    caption,
    columns: [['Stack', ({ arm }) => stackLabel(arm)], ...columns],
    groups: sizes.map(({ subject, transfers }) => [
      nameOf(subject),
      arms.map((arm) => ({ arm, own: transfers.get(arm.arm) ?? [] })),
    ]),
  });
}
