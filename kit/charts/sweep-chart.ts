import * as Plot from '@observablehq/plot';
import { quantile } from '../../statistics/quantile.ts';
import type { Markup } from '../page/markup.ts';
import { type ChartStack, stackColour } from '../page/stack.ts';
import { counted, decimalText, millisecondsText } from '../text/number.ts';
import { drawn, GRID, LABEL_ABOVE, LABEL_BELOW, movedApart, shape } from './canvas.ts';
import { crossingLines, stackDots, stackLine } from './stack-marks.ts';

/** A stack over round-trip times: its points, and the line that was put through them elsewhere. */
interface SweptStack {
  arm: ChartStack;
  /** null values are left out. */
  points: readonly { rttMs: number; medianMs: number | null }[];
  /** Time = interceptMs + roundTrips x round-trip time; null: no line. */
  line: { interceptMs: number; roundTrips: number } | null;
}

interface SweepAxes {
  /** Of what the times are. */
  measured?: string;
  /** Where the round-trip times come from. */
  rttSource?: string;
  /** Lines from zero for what waits for so many round trips and for nothing else. */
  models?: readonly number[];
}

/** With more points than these a stack's are one path without titles, and the outermost few stand at the ends of the axes. */
const FEW_POINTS = 40;
const SHOWN_SHARE = 0.99;

/** Median times against round-trip time: a symbol for each measured point, a line for each stack. */
export function sweepChart(
  arms: readonly SweptStack[],
  crossings: readonly { rttMs: number; label: string }[],
  ariaLabel: string,
  { measured = 'page load time', rttSource = 'as measured', models = [] }: SweepAxes = {},
): Markup {
  const isDense = arms.some(({ points }) => points.length > FEW_POINTS);
  const most = (values: readonly number[]) =>
    Math.max(1, quantile(values, isDense ? SHOWN_SHARE : 1) ?? 0);
  const points = arms.flatMap((swept) => swept.points);
  const longestRttMs = most(points.map(({ rttMs }) => rttMs)) * 1.04;
  const ends = ({ line }: Pick<SweptStack, 'line'>) =>
    line
      ? [0, longestRttMs].map((rttMs) => ({
          rttMs,
          timeMs: line.interceptMs + line.roundTrips * rttMs,
        }))
      : [];
  const longestMs = Math.max(
    most(points.flatMap(({ medianMs }) => medianMs ?? [])),
    ...arms.flatMap(ends).map(({ timeMs }) => timeMs),
  );
  const topMs = longestMs * 1.05;
  const modelled = models.map((roundTrips) => ({
    roundTrips,
    rttMs: Math.min(longestRttMs, topMs / roundTrips),
  }));
  const labels = endLabels(arms, modelled, longestRttMs);
  return drawn(
    {
      height: 360,
      marginTop: 30,
      marginBottom: 40,
      marginLeft: 60,
      marginRight: 170,
      x: { domain: [0, longestRttMs], label: null },
      // Labels that were moved apart need room too.
      y: { domain: [0, Math.max(topMs, ...labels.map(({ y }) => y))], label: null, clamp: true },
    },
    [
      Plot.gridY({ ticks: 6, ...GRID }),
      Plot.axisY({ ...LABEL_ABOVE, ticks: 6, label: `Median ${measured} in ms` }),
      Plot.axisX({
        ...LABEL_BELOW,
        ticks: 8,
        tickFormat: (rttMs: number) => decimalText(rttMs),
        label: `Round-trip time in ms, ${rttSource}`,
      }),
      crossingLines(crossings, 'rttMs'),
      ...modelled.map(({ roundTrips, rttMs }) =>
        Plot.line([0, rttMs], {
          x: (each: number) => each,
          y: (each: number) => roundTrips * each,
          stroke: 'var(--quiet)',
          strokeWidth: 1,
        }),
      ),
      ...arms.flatMap((swept) => [
        isDense && dots(swept, { longestRttMs, topMs }),
        stackLine(swept.arm, ends(swept), { x: 'rttMs', y: 'timeMs' }),
        stackDots(
          swept.arm,
          isDense ? [] : swept.points.filter(({ medianMs }) => medianMs !== null),
          {
            x: 'rttMs',
            y: 'medianMs',
            r: 5,
            title: ({ rttMs, medianMs }: SweptStack['points'][number]) =>
              `${swept.arm.label}: ${millisecondsText(medianMs)} ms at a round-trip time of ${decimalText(rttMs)} ms`,
          },
        ),
      ]),
      Plot.text(
        modelled.filter(({ rttMs }) => rttMs < longestRttMs),
        {
          x: 'rttMs',
          y: topMs,
          dy: -8,
          text: ({ roundTrips }: Modelled) => counted(roundTrips, 'round trip'),
          fill: 'var(--quiet)',
        },
      ),
      Plot.text(labels, {
        x: 'rttMs',
        y: 'y',
        dx: 8,
        textAnchor: 'start',
        text: 'label',
        fill: 'fill',
      }),
    ],
    ariaLabel,
  );
}

interface Modelled {
  roundTrips: number;
  rttMs: number;
}

function dots(
  { arm, points }: SweptStack,
  { longestRttMs, topMs }: { longestRttMs: number; topMs: number },
): Plot.RenderFunction {
  return (_, scales, __, ___, context) =>
    shape(context, 'path', {
      d:
        points
          .map(({ rttMs, medianMs }) => {
            if (medianMs === null) return '';
            const x = Number(scales.x?.(Math.min(longestRttMs, rttMs))).toFixed(1);
            const y = Number(scales.y?.(Math.min(topMs, medianMs))).toFixed(1);
            return `M${x},${y}h0`;
          })
          .join('') || 'M0,0',
      fill: 'none',
      stroke: stackColour(arm),
      'stroke-width': '3.4',
      'stroke-opacity': '0.45',
      'stroke-linecap': 'round',
    });
}

function endLabels(
  arms: readonly SweptStack[],
  modelled: readonly Modelled[],
  longestRttMs: number,
) {
  const labels = [
    ...arms.flatMap(({ arm, line }) => {
      if (!line) return [];
      const y = line.interceptMs + line.roundTrips * longestRttMs;
      return { rttMs: longestRttMs, label: arm.label, fill: 'var(--ink)', y };
    }),
    ...modelled
      .filter(({ rttMs }) => rttMs === longestRttMs)
      .map(({ roundTrips, rttMs }) => ({
        rttMs,
        label: counted(roundTrips, 'round trip'),
        fill: 'var(--quiet)',
        y: roundTrips * rttMs,
      })),
  ];
  return movedApart(labels, Math.max(0, ...labels.map(({ y }) => y)) * 0.055);
}
