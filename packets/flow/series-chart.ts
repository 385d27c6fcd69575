import * as Plot from '@observablehq/plot';
import { drawChart, GRID, LABEL_ABOVE, LABEL_BELOW } from '../../kit/charts/canvas.ts';
import type { Markup } from '../../kit/page/markup.ts';
import { type ChartStack, stackColour, stackDashes } from '../../kit/page/stack.ts';
import { bytesText } from '../../kit/text/number.ts';
import { type BytePoint, inFlight, type ServerBytes } from './byte-series.ts';

export interface ServerSeries {
  stack: ChartStack;
  /** Times are in ms after the load's first packet. */
  series: ServerBytes;
}

const PANEL_PX = 190;
const MARGINS = { marginTop: 30, marginBottom: 40, marginLeft: 64, marginRight: 124 };
const IN_PANEL = { x: 'atMs', y: 'bytes', fy: 'arm' };
/** Maximum number of points of a line: the resolution of the chart. */
const MAX_POINTS = 1600;

/** Bytes sent, acknowledged and allowed over time, a panel for each load. */
export function timeSequenceChart(all: readonly ServerSeries[], ariaLabel: string): Markup {
  const { endMs, mostBytes } = boundsOf(all);
  const inPanel = (key: keyof ServerBytes, endless = true) =>
    all.flatMap(({ stack, series }) => {
      const points = thinOut(series[key], endMs);
      const last = points.at(-1);
      const rest = endless && last ? [{ atMs: endMs, bytes: last.bytes }] : [];
      return [...points, ...rest].map((point) => ({
        ...point,
        bytes: Math.min(point.bytes, mostBytes * HEADROOM),
        arm: stack.arm,
      }));
    });
  const line = (key: keyof ServerBytes, options: Plot.LineYOptions) =>
    Plot.lineY(inPanel(key), { ...IN_PANEL, z: 'arm', curve: 'step-after', ...options });
  return drawChart(
    {
      height: MARGINS.marginTop + MARGINS.marginBottom + all.length * PANEL_PX,
      ...MARGINS,
      x: { domain: [0, endMs], label: null },
      y: { domain: [0, mostBytes * HEADROOM], label: null },
      fy: { domain: all.map(({ stack }) => stack.arm), label: null, padding: 0.1 },
    },
    [
      ...axes('Bytes from the server'),
      Plot.axisFy({
        anchor: 'right',
        tickSize: 0,
        tickFormat: (arm: string) => all.find(({ stack }) => stack.arm === arm)?.stack.label ?? arm,
      }),
      line('window', { stroke: 'var(--quiet)', strokeDasharray: '2 3', strokeWidth: 1.2 }),
      line('acknowledged', { stroke: 'var(--ink)', strokeWidth: 1.1 }),
      ...all.map((each) =>
        Plot.lineY(
          inPanel('sent').filter(({ arm }) => arm === each.stack.arm),
          { ...IN_PANEL, curve: 'step-after', stroke: stackColour(each.stack), strokeWidth: 2 },
        ),
      ),
      Plot.dot(inPanel('resent', false), {
        ...IN_PANEL,
        symbol: 'circle',
        r: 4,
        stroke: 'var(--verdict-slower)',
        fill: 'var(--paper)',
        strokeWidth: 1.6,
      }),
      Plot.dot(inPanel('lost', false), {
        ...IN_PANEL,
        symbol: 'times',
        r: 5,
        stroke: 'var(--verdict-slower)',
        strokeWidth: 1.8,
      }),
      Plot.ruleY([0], { stroke: 'var(--quiet)' }),
    ],
    ariaLabel,
  );
}

const HEADROOM = 1.12;

function axes(bytesLabel: string): Plot.Markish[] {
  return [
    Plot.gridY({ ...GRID, ticks: 4 }),
    Plot.axisY({ ...LABEL_ABOVE, ticks: 4, tickFormat: bytesText, label: bytesLabel }),
    Plot.axisX({
      ...LABEL_BELOW,
      ticks: 10,
      label: "Time at the server's end, in ms after the first packet",
    }),
  ];
}

/** Bytes in flight over time, all loads in one panel. */
export function inFlightChart(all: readonly ServerSeries[], ariaLabel: string): Markup {
  const { endMs } = boundsOf(all);
  const lines = all.map(({ stack, series }) => ({ stack, points: inFlight(series) }));
  return drawChart(
    {
      height: 240,
      ...MARGINS,
      x: { domain: [0, endMs], label: null },
      y: {
        domain: [
          0,
          Math.max(1, ...lines.flatMap(({ points }) => points.map(({ bytes }) => bytes))) * 1.05,
        ],
        label: null,
      },
    },
    [
      ...axes('Bytes in flight, estimated from packets'),
      ...lines.map(({ stack, points }) =>
        Plot.lineY(thinOut(points, endMs), {
          x: 'atMs',
          y: 'bytes',
          curve: 'step-after',
          stroke: stackColour(stack),
          strokeWidth: 1.6,
          strokeDasharray: stackDashes(stack),
        }),
      ),
      Plot.ruleY([0], { stroke: 'var(--quiet)' }),
    ],
    ariaLabel,
  );
}

function boundsOf(all: readonly ServerSeries[]): { endMs: number; mostBytes: number } {
  const of = (read: (series: ServerBytes) => number) =>
    all.reduce((most, { series }) => Math.max(most, read(series)), 1);
  return {
    endMs: of(({ sent, acknowledged }) =>
      Math.max(sent.at(-1)?.atMs ?? 0, acknowledged.at(-1)?.atMs ?? 0),
    ),
    mostBytes: of(({ sent }) => sent.at(-1)?.bytes ?? 0),
  };
}

/** Thins out points: keeps the highest and the last of each interval, so that no peak or drop is lost. */
function thinOut<P extends BytePoint>(points: readonly P[], endMs: number): P[] {
  if (points.length <= MAX_POINTS) return [...points];
  const stretches = Map.groupBy(points, ({ atMs }) => Math.floor((atMs / endMs) * MAX_POINTS));
  return [...stretches.values()].flatMap((own) => {
    const highest = own.reduce((most, point) => (point.bytes > most.bytes ? point : most));
    const last = own.at(-1);
    return last && last !== highest ? [highest, last] : [highest];
  });
}
