import * as Plot from '@observablehq/plot';
import { type Marks, rowTexts } from '../../../kit/charts/canvas.ts';
import { intervalLines, ratioEnds, ratioRows } from '../../../kit/charts/ratio-rows.ts';
import type { Markup } from '../../../kit/page/markup.ts';
import type { Change } from '../../../kit/text/change.ts';
import { type Estimate, ratioText, ratioWithInterval } from '../../../kit/text/estimate.ts';

/** One row of the chart. */
export interface LadderRow {
  name: string;
  /** published: numbers of others, drawn hollow; step: one change; answer: the last step once more, from 1. */
  kind: 'published' | 'step' | 'answer';
  /** QUIC / HTTPS; null: not measured. */
  ratio: Estimate | null;
  /** Against the row before; null: none, or not known. */
  change: Estimate | null;
  changeVerdict: Change | null;
  /** Stands in the row, left of 1; null: nothing. */
  note: string | null;
}

/** A row at its place from the top, with its ratio. */
type Placed = LadderRow & { place: number; ratio: Estimate };
/** A row with the ratio that its bar begins at. */
type Bar = Placed & { from: number };

const ROW_PX = 30;
const TICKS = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20];

/** The colour of a change: towards QUIC, away from it, or nothing that can be told. */
function changeColour(verdict: Change | null): string {
  if (verdict === 'lower') return 'var(--verdict-faster)';
  if (verdict === 'higher') return 'var(--verdict-slower)';
  return 'var(--ladder-none)';
}

/**
 * Ratios from step to step on one logarithmic axis: a bar from the ratio before to the step's own, so that bars of the same
 * length are changes by the same factor; a dot with its 95 % interval at each ratio.
 */
export function ladderChart(rows: readonly LadderRow[], ariaLabel: string): Markup {
  const [low, high] = ratioEnds(
    rows.map(({ ratio }) => ratio),
    [0.7, 1.5],
    { room: 1.08, farthest: 30 },
  );
  const clip = (value: number) => Math.min(high, Math.max(low, value));
  const placed = rows.flatMap((row, place): Placed[] =>
    row.ratio ? [{ ...row, place, ratio: row.ratio }] : [],
  );
  return ratioRows(
    {
      names: rows.map(({ name }) => name),
      nameCharacters: 34,
      rowPx: ROW_PX,
      domain: [low, high],
      ticks: TICKS.filter((ratio) => ratio >= low && ratio <= high),
      tickFormat: String,
      room: { marginTop: 58, marginLeft: 232, marginRight: 290 },
      headings: sides(),
    },
    [
      Plot.link(connectorsOf(placed), {
        x1: 'ratio',
        x2: 'ratio',
        y1: 'from',
        y2: 'to',
        stroke: 'var(--quiet)',
        strokeDasharray: '2 3',
      }),
      ...bars(placed, clip),
      intervalLines(placed, [low, high], { stroke: 'var(--ink)', strokeWidth: 1.5 }),
      Plot.dot(
        placed.filter(({ ratio }) => ratio.estimate >= low && ratio.estimate <= high),
        {
          x: ({ ratio }: Placed) => ratio.estimate,
          y: 'place',
          r: 4.5,
          stroke: 'var(--ink)',
          strokeWidth: 1.5,
          fill: ({ kind }: Placed) => (kind === 'published' ? 'var(--paper)' : 'var(--ink)'),
          title: ({ name, ratio }: Placed) => `${name}: ${ratioWithInterval(ratio)}`,
        },
      ),
      Plot.text(
        placed.filter(({ note }) => note !== null),
        { x: () => 1, y: 'place', text: 'note', textAnchor: 'end', dx: -8, fill: 'var(--ink)' },
      ),
      ...columns(rows),
    ],
    ariaLabel,
  );
}

/** From 1 for what stands for itself, from the step before for a change. */
function bars(placed: readonly Placed[], clip: (value: number) => number): Marks {
  const whole = placed.filter(({ kind, place }) => kind !== 'step' || isFirstStep(placed, place));
  const changes = placed.flatMap((row): Bar[] => {
    const before = placed.find(({ place, kind }) => place === row.place - 1 && kind === 'step');
    return row.kind === 'step' && before ? [{ ...row, from: before.ratio.estimate }] : [];
  });
  const bar = (rows: readonly Bar[], options: object) =>
    Plot.barX(rows, {
      x1: ({ from }: Bar) => clip(from),
      x2: ({ ratio }: Bar) => clip(ratio.estimate),
      y: 'place',
      insetTop: 7,
      insetBottom: 7,
      ...options,
    });
  return [
    bar(
      whole.filter(({ kind }) => kind === 'published').map((row) => ({ ...row, from: 1 })),
      { fill: 'none', stroke: 'var(--stack-1)', strokeDasharray: '4 3' },
    ),
    bar(
      whole.filter(({ kind }) => kind !== 'published').map((row) => ({ ...row, from: 1 })),
      { fill: 'var(--stack-1)', fillOpacity: 0.55 },
    ),
    bar(changes, { fill: ({ changeVerdict }: Bar) => changeColour(changeVerdict) }),
  ];
}

function isFirstStep(placed: readonly Placed[], place: number): boolean {
  return placed.find(({ kind }) => kind === 'step')?.place === place;
}

/** From the ratio of each row down to the next row, where a bar begins at it. */
function connectorsOf(placed: readonly Placed[]) {
  return placed.flatMap(({ kind, place, ratio }) => {
    const next = placed.find((row) => row.place === place + 1);
    return kind === 'step' && next ? [{ ratio: ratio.estimate, from: place, to: next.place }] : [];
  });
}

/** Which way is which, in words above the axis, and what the columns hold. */
function sides(): Marks {
  const text = (words: string, options: Plot.TextOptions) =>
    Plot.text([words], { dy: -34, fill: 'var(--quiet)', ...options });
  return [
    text('◄ QUIC takes less time', { frameAnchor: 'top-left' }),
    text('QUIC takes more time ►', { frameAnchor: 'top-right' }),
    text('QUIC ÷ HTTPS, 95 % interval', { frameAnchor: 'top-right', textAnchor: 'start', dx: 14 }),
    text('this change', { frameAnchor: 'top-right', textAnchor: 'start', dx: 206 }),
  ];
}

function columns(rows: readonly LadderRow[]): Marks {
  return [
    rowTexts(rows, 14, ({ ratio }) => (ratio ? ratioWithInterval(ratio) : 'not measured')),
    rowTexts(
      rows,
      206,
      ({ change }) => (change ? `× ${ratioText(change.estimate)}` : ''),
      ({ changeVerdict }) =>
        changeVerdict === 'higher' || changeVerdict === 'lower'
          ? changeColour(changeVerdict)
          : 'var(--quiet)',
    ),
  ];
}
