import type { Markup } from '../page/markup.ts';
import { type Estimate, estimateText, ratioText } from '../text/estimate.ts';
import { ratioAxis } from './axis.ts';
import { intervalMarks, type RowMark, rowChart, symbolMarks } from './row-chart.ts';

export interface ChangeRow {
  name: string;
  /** Stack / baseline in each run; null: no ratio. */
  ratios: readonly [Estimate | null, Estimate | null];
  /** Second / first. */
  change: Estimate | null;
}

/** The colours and shapes of the first two stacks; the first run stands in the upper half of its row. */
const RUNS = [
  { run: 'first', colour: 'var(--stack-1)', symbol: 'circle', offset: -0.18 },
  { run: 'second', colour: 'var(--stack-2)', symbol: 'square', offset: 0.18 },
] as const;

/** Ratios of two runs with intervals, a row for each site: dots for the first run, squares for the second. */
export function changeChart(
  rows: readonly ChangeRow[],
  marginPercent: number,
  ariaLabel: string,
): Markup {
  const x = ratioAxis(
    rows.flatMap(({ ratios }) => ratios),
    marginPercent,
  );
  const marks = rows.flatMap(({ name, ratios }, place) =>
    RUNS.flatMap(({ run, colour, symbol, offset }, index): RowMark[] => {
      const estimate = ratios[index];
      if (!estimate) return [];
      const title = `${name}, ${run} run: ${estimateText(estimate, ratioText)}`;
      return [{ place: place + offset, estimate, colour, symbol, title }];
    }),
  );
  const text = ({ change }: ChangeRow) => estimateText(change, ratioText) ?? '–';
  const columns = [{ heading: 'second ÷ first, 95 % interval', text }];
  return rowChart(
    { rows, rowPx: 34, x, above: ['', ''], columns },
    [...intervalMarks(marks, x.domain), symbolMarks(marks, x.domain)],
    ariaLabel,
  );
}
