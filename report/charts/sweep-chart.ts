import * as Plot from '@observablehq/plot';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour, stackSymbol } from '../page/stack.ts';
import { decimalText, millisecondsText } from '../text/number.ts';
import { drawn, GRID, LABEL_ABOVE, LABEL_BELOW, movedApart } from './canvas.ts';
import { stackDashes } from './distribution-chart.ts';

/** A stack over round-trip times: its points, and the line that was put through them elsewhere. */
export interface SweptStack {
  arm: ChartStack;
  /** null values are left out. */
  points: readonly { rttMs: number; medianMs: number | null }[];
  /** Time = interceptMs + roundTrips x round-trip time; null: no line. */
  line: { interceptMs: number; roundTrips: number } | null;
}

/** Where two lines meet, within what was measured. */
export interface Crossing {
  rttMs: number;
  label: string;
}

/**
 * Median times against round-trip time: a symbol for each measured point, a line for each stack.
 * @param measured of what the times are
 */
export function sweepChart(
  arms: readonly SweptStack[],
  crossings: readonly Crossing[],
  ariaLabel: string,
  measured = 'page load time',
): Markup {
  const rttsMs = arms.flatMap(({ points }) => points.map(({ rttMs }) => rttMs));
  const longestRttMs = Math.max(1, ...rttsMs) * 1.04;
  const ends = ({ line }: SweptStack) =>
    line
      ? [0, longestRttMs].map((rttMs) => ({
          rttMs,
          timeMs: line.interceptMs + line.roundTrips * rttMs,
        }))
      : [];
  const times = arms.flatMap((swept) => [
    ...swept.points.map(({ medianMs }) => medianMs ?? 0),
    ...ends(swept).map(({ timeMs }) => timeMs),
  ]);
  return drawn(
    {
      height: 360,
      marginTop: 30,
      marginBottom: 40,
      marginLeft: 60,
      marginRight: 170,
      x: { domain: [0, longestRttMs], label: null },
      y: { domain: [0, Math.max(1, ...times) * 1.05], label: null, clamp: true },
    },
    [
      Plot.gridY({ ticks: 6, ...GRID }),
      Plot.axisY({
        ...LABEL_ABOVE,
        ticks: 6,
        label: `Median ${measured} in ms`,
      }),
      Plot.axisX({
        ...LABEL_BELOW,
        ticks: 8,
        tickFormat: (rttMs: number) => decimalText(rttMs),
        label: 'Round-trip time in ms, as measured',
      }),
      Plot.ruleX(crossings, {
        x: 'rttMs',
        stroke: 'var(--quiet)',
        strokeDasharray: '2 4',
        title: 'label',
      }),
      ...arms.flatMap((swept) => [
        Plot.line(ends(swept), {
          x: 'rttMs',
          y: 'timeMs',
          stroke: stackColour(swept.arm),
          strokeWidth: 2,
          strokeDasharray: stackDashes(swept.arm),
        }),
        Plot.dot(
          swept.points.filter(({ medianMs }) => medianMs !== null),
          {
            x: 'rttMs',
            y: 'medianMs',
            r: 5,
            symbol: stackSymbol(swept.arm),
            fill: stackColour(swept.arm),
            stroke: 'var(--paper)',
            title: ({ rttMs, medianMs }: SweptStack['points'][number]) =>
              `${swept.arm.label}: ${millisecondsText(medianMs)} ms at a round-trip time of ${decimalText(rttMs)} ms`,
          },
        ),
      ]),
      Plot.text(endLabels(arms, longestRttMs), {
        x: 'rttMs',
        y: 'y',
        dx: 8,
        textAnchor: 'start',
        text: 'label',
        fill: 'var(--ink)',
      }),
    ],
    ariaLabel,
  );
}

function endLabels(arms: readonly SweptStack[], rttMs: number) {
  const labels = arms.flatMap(({ arm, line }) =>
    line ? [{ rttMs, label: arm.label, y: line.interceptMs + line.roundTrips * rttMs }] : [],
  );
  return movedApart(labels, Math.max(0, ...labels.map(({ y }) => y)) * 0.055);
}
