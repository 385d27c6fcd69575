import * as Plot from '@observablehq/plot';
import { quantile } from '../../statistics/quantile.ts';
import type { Markup } from '../page/markup.ts';
import { stackColour } from '../page/stack.ts';
import { countWithNoun, decimalText, millisecondsText } from '../text/number.ts';
import { type Axis, zeroAxis } from './axis.ts';
import { CHART_WIDTH_PX, spreadLabels, svgElement } from './canvas.ts';
import { lines, type Mark, type Series, symbols, xyChart } from './xy-chart.ts';

/** Median times by round-trip time, in ms, with a line fitted elsewhere. */
interface SweptStack extends Series {
  /** null: no line. */
  line: { interceptMs: number; roundTrips: number } | null;
}

interface SweepWords {
  /** Noun for the times. */
  measured: string;
  /** Source of the round-trip times. */
  rttSource: string;
  /** Reference lines from zero for a fixed number of round trips. */
  models: readonly number[];
}

interface LabelledPoint {
  x: number;
  y: number;
  label: string;
}

/** With more points, each stack is one path without titles, and outliers stand at the ends of the axes. */
const FEW_POINTS = 40;
const SHOWN_SHARE = 0.99;

/** Median time against round-trip time: measured points as symbols, a line for each stack. */
export function sweepChart(
  swept: readonly SweptStack[],
  ariaLabel: string,
  { measured, rttSource, models }: SweepWords,
): Markup {
  const isDense = swept.some(({ points }) => points.length > FEW_POINTS);
  const most = (values: readonly number[]) =>
    Math.max(1, quantile(values, isDense ? SHOWN_SHARE : 1) ?? 0);
  const points = swept.flatMap((each) => each.points);
  const x = zeroAxis([most(points.map((point) => point.x))], {
    label: `Round-trip time in ms, ${rttSource}`,
    ticks: 8,
    text: (rttMs) => `a round-trip time of ${decimalText(rttMs)} ms`,
  });
  const longestRttMs = x.domain[1];
  const straight = swept.map(({ arm, line }) => ({
    arm,
    points: line
      ? [0, longestRttMs].map((rttMs) => ({
          x: rttMs,
          y: line.interceptMs + line.roundTrips * rttMs,
        }))
      : [],
  }));
  const ends = straight.flatMap(({ arm, points: [, end] }) =>
    end ? [{ ...end, label: arm.label }] : [],
  );
  const topMs =
    1.05 *
    Math.max(
      most(points.flatMap((point) => point.y ?? [])),
      ...straight.flatMap((each) => each.points).map(({ y }) => y),
    );
  const modelled = models.map((roundTrips): LabelledPoint => {
    const rttMs = Math.min(longestRttMs, topMs / roundTrips);
    return { x: rttMs, y: roundTrips * rttMs, label: countWithNoun(roundTrips, 'round trip') };
  });
  const [atEnd = [], atTop = []] = [true, false].map((isAtEnd) =>
    modelled.filter((each) => (each.x === longestRttMs) === isAtEnd),
  );
  const labels = spreadLabels(
    [...ends, ...atEnd.map((each) => ({ ...each, fill: 'var(--quiet)' }))],
    0.055 * topMs,
  );
  // Include labels that were moved apart.
  const y: Axis = {
    label: `Median ${measured} in ms`,
    domain: [0, Math.max(topMs, ...labels.map((label) => label.y))],
    ticks: 6,
    tickText: (timeMs) => decimalText(timeMs),
    text: (timeMs) => `${millisecondsText(timeMs)} ms`,
  };
  return xyChart(
    {
      x,
      y,
      series: swept,
      size: { width: CHART_WIDTH_PX, height: 360, marginRight: 170 },
      marks: [
        () =>
          modelled.map((end) =>
            Plot.line([{ x: 0, y: 0 }, end], {
              x: 'x',
              y: 'y',
              stroke: 'var(--quiet)',
              strokeWidth: 1,
            }),
          ),
        (_, axes) => lines(straight, axes),
        isDense ? cloud : symbols,
        () => [
          Plot.text(atTop, { x: 'x', y: 'y', dy: -8, text: 'label', fill: 'var(--quiet)' }),
          Plot.text(labels, {
            x: 'x',
            y: 'y',
            dx: 8,
            textAnchor: 'start',
            text: 'label',
            fill: (label: { fill?: string }) => label.fill ?? 'var(--ink)',
          }),
        ],
      ],
    },
    ariaLabel,
  );
}

/** All points of a stack as one path of zero-length lines with round ends. */
const cloud: Mark = (series) =>
  series.map(
    ({ arm, points }): Plot.RenderFunction =>
      (_, scales, __, ___, context) =>
        svgElement(context, 'path', {
          d:
            points
              .map(({ x, y }) =>
                y === null
                  ? ''
                  : `M${Number(scales.x?.(x)).toFixed(1)},${Number(scales.y?.(y)).toFixed(1)}h0`,
              )
              .join('') || 'M0,0',
          fill: 'none',
          stroke: stackColour(arm),
          'stroke-width': '3.4',
          'stroke-opacity': '0.45',
          'stroke-linecap': 'round',
        }),
  );
