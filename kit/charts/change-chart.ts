import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type Estimate, estimateText, ratioText } from '../text/estimate.ts';
import { type Marks, rowTexts } from './canvas.ts';
import { type Ends, endsAround, intervalLines, ratioRows } from './ratio-rows.ts';

export interface ChangeRow {
  name: string;
  /** Stack / baseline in each run; null: nothing to show. */
  ratios: readonly [Estimate | null, Estimate | null];
  /** Second / first. */
  change: Estimate | null;
}

interface Placed {
  row: ChangeRow;
  place: number;
  ratio: Estimate;
}

const ROW_PX = 34;
/** How far a run's line lies above or below the middle of its row. */
const APART_PX = 6;
const TICKS = [0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.3, 1.5, 2, 3, 5];
const MOST_TICKS = 9;

/** Both runs' ratios with their intervals, a row for each site: the first run's above, a dot; the second's below, a square. */
export function changeChart(
  rows: readonly ChangeRow[],
  marginPercent: number,
  ariaLabel: string,
): Markup {
  const margin = 1 + marginPercent / 100;
  const [low, high] = endsAround(
    rows.flatMap(({ ratios }) => ratios),
    margin,
  );
  return ratioRows(
    {
      names: rows.map(({ name }) => name),
      rowPx: ROW_PX,
      domain: [low, high],
      ticks: ticksOf(low, high),
      room: { marginTop: 34, marginLeft: 210, marginRight: 190 },
      margin,
    },
    [
      ...run(rows, 0, [low, high]),
      ...run(rows, 1, [low, high]),
      Plot.text(['second ÷ first, 95 % interval'], {
        frameAnchor: 'top-right',
        textAnchor: 'start',
        dx: 14,
        dy: -24,
        fill: 'var(--quiet)',
      }),
      rowTexts(rows, 14, ({ change }) => estimateText(change, ratioText) ?? '–'),
    ],
    ariaLabel,
  );
}

/** Lines and signs of one run; colours and shapes are those of the first two stacks of the style sheet. */
function run(rows: readonly ChangeRow[], which: 0 | 1, [low, high]: Ends): Marks {
  const placed = rows.flatMap((row, place): Placed[] => {
    const ratio = row.ratios[which];
    return ratio ? [{ row, place, ratio }] : [];
  });
  const colour = `var(--stack-${which + 1})`;
  const dy = which === 0 ? -APART_PX : APART_PX;
  return [
    intervalLines(placed, [low, high], { dy, stroke: colour, strokeWidth: 2 }),
    Plot.dot(
      placed.filter(({ ratio }) => ratio.estimate >= low && ratio.estimate <= high),
      {
        x: ({ ratio }: Placed) => ratio.estimate,
        y: 'place',
        dy,
        r: 5,
        fill: colour,
        stroke: colour,
        symbol: which === 0 ? 'circle' : 'square',
        title: ({ row, ratio }: Placed) =>
          `${row.name}, ${which === 0 ? 'first' : 'second'} run: ${estimateText(ratio, ratioText)}`,
      },
    ),
  ];
}

/** Round ratios within the domain; where there are too many to read, those nearest to 1 give way. */
function ticksOf(low: number, high: number): number[] {
  const within = TICKS.filter((ratio) => ratio >= low && ratio <= high);
  if (within.length <= MOST_TICKS) return within;
  return within.filter((ratio) => ratio === 1 || ratio <= 0.8 || ratio >= 1.2);
}
