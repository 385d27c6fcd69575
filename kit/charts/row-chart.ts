import * as Plot from '@observablehq/plot';
import type { ChartData } from '../page/chart.ts';
import type { Markup } from '../page/markup.ts';
import type { Axis } from './axis.ts';
import { drawn, GRID, type Marks, shortName } from './canvas.ts';

/** Rows with names from the top, over one axis; a mark's `place` is the number of its row. */
export interface RowChart {
  names: readonly string[];
  nameCharacters?: number;
  rowPx: number;
  /** Its label is left to the headings. */
  x: Pick<Axis, 'scale' | 'domain' | 'ticks' | 'tickText' | 'marked' | 'band'>;
  /** Width of the whole and room around the rows, in px. */
  room: { width?: number; marginTop: number; marginLeft: number; marginRight: number };
  /** Below the rows, in px. */
  belowPx?: number;
  /** Words above the axis. */
  headings?: Marks;
}

export function rowChart(
  { names, nameCharacters, rowPx, x, room, belowPx = 6, headings = [] }: RowChart,
  marks: Marks,
  ariaLabel: string,
  data: ChartData | null = null,
): Markup {
  const ticks = x.ticks as number;
  return drawn(
    {
      ...room,
      height: room.marginTop + belowPx + names.length * rowPx,
      marginBottom: belowPx,
      x: { type: x.scale, domain: x.domain, label: null },
      y: { type: 'band', domain: names.keys(), label: null, round: false, padding: 0 },
    },
    [
      x.band && Plot.rectX([0], { x1: x.band[0], x2: x.band[1], fill: 'var(--band)' }),
      Plot.gridX({ ticks, ...GRID }),
      Plot.axisX({
        anchor: 'top',
        ticks,
        tickFormat: (value: number) => x.tickText(value),
        tickSize: 0,
        label: null,
      }),
      x.marked !== undefined &&
        Plot.ruleX([x.marked], { stroke: 'var(--ink)', strokeWidth: x.band ? 1 : 1.5 }),
      ...headings,
      Plot.axisY({
        tickSize: 0,
        tickFormat: (place: number) => shortName(names[place] ?? '', nameCharacters),
        fill: 'var(--ink)',
      }),
      ...marks,
    ],
    ariaLabel,
    data,
  );
}
