import * as Plot from '@observablehq/plot';
import {
  drawn,
  GRID,
  LABEL_ABOVE,
  LABEL_BELOW,
  type Marks,
  movedApart,
} from '../../kit/charts/canvas.ts';
import type { Markup } from '../../kit/page/markup.ts';
import { stackColour, stackDashes } from '../../kit/page/stack.ts';
import { bytesText, decimalText } from '../../kit/text/number.ts';
import { type LoadWindows, totalsOf } from './load-windows.ts';

interface Point {
  atMs: number;
  value: number;
}

/** One line of a chart. */
interface Line {
  load: LoadWindows;
  what: string;
  points: readonly Point[];
  /** How the line stands out. */
  widthPx: number;
  isArea: boolean;
  /** Whether its end is labelled: of several lines that mean the same only one is. */
  isLabelled: boolean;
}

/**
 * Congestion windows and bytes in flight of loads over time, each the sum over a load's connections, on one axis. A window is a line
 * and known of TCP alone; bytes in flight are an area below theirs, and say when they are estimated.
 */
export function windowsChart(loads: readonly LoadWindows[], ariaLabel: string): Markup {
  const lines = loads.flatMap((load): Line[] => {
    const totals = totalsOf(load.connections);
    const windows = totals.flatMap(({ atMs, cwndBytes }) =>
      cwndBytes === null ? [] : [{ atMs, value: cwndBytes }],
    );
    const inFlight = totals.map(({ atMs, inFlightBytes }) => ({ atMs, value: inFlightBytes }));
    const estimated = load.source === 'packets' ? 'estimated from packets' : 'TCP_INFO';
    return [
      {
        load,
        what: `congestion window, ${estimated}`,
        points: windows,
        widthPx: 2.2,
        isArea: false,
        isLabelled: true,
      },
      {
        load,
        what: `bytes in flight, ${estimated}`,
        points: inFlight,
        widthPx: 1,
        isArea: true,
        isLabelled: true,
      },
    ];
  });
  return lineChart(lines, { label: 'Bytes', tickFormat: bytesText, height: 340 }, ariaLabel);
}

/** Smoothed round-trip times of the connections of loads over time, a line for each connection. */
export function roundTripsChart(loads: readonly LoadWindows[], ariaLabel: string): Markup {
  const lines = loads.flatMap((load) =>
    load.connections.map(
      ({ points }, place): Line => ({
        load,
        what: `round trip, ${load.source === 'packets' ? 'estimated from packets' : 'TCP_INFO'}`,
        points: points.flatMap(({ atMs, rttMs }) =>
          rttMs === null ? [] : [{ atMs, value: rttMs }],
        ),
        widthPx: 1.6,
        isArea: false,
        isLabelled: place === 0,
      }),
    ),
  );
  const tickFormat = (valueMs: number) => decimalText(valueMs);
  return lineChart(lines, { label: 'Round trip in ms', tickFormat, height: 220 }, ariaLabel);
}

/** Room for the labels at the ends of lines. */
const LABELS_PX = 330;
/** Of the height of a chart, between two labels: two lines of text each. */
const APART = 0.13;

function lineChart(
  lines: readonly Line[],
  y: { label: string; tickFormat: (value: number) => string; height: number },
  ariaLabel: string,
): Markup {
  const shown = lines.filter(({ points }) => points.length > 0);
  const ends = shown.map(({ points }) => points.at(-1)?.atMs ?? 0);
  const begins = shown.map(({ points }) => points[0]?.atMs ?? 0);
  const endMs = Math.max(1, ...ends);
  const highest = shown.reduce(
    (most, { points }) => points.reduce((top, { value }) => Math.max(top, value), most),
    1,
  );
  return drawn(
    {
      height: y.height,
      marginTop: 30,
      marginBottom: 40,
      marginLeft: 70,
      marginRight: LABELS_PX,
      x: { domain: [Math.min(0, ...begins), endMs], label: null },
      y: { domain: [0, highest * 1.05], label: null },
    },
    [
      Plot.gridY({ ticks: 5, ...GRID }),
      Plot.axisY({ ...LABEL_ABOVE, ticks: 5, tickFormat: y.tickFormat, label: y.label }),
      Plot.axisX({
        ...LABEL_BELOW,
        ticks: 8,
        tickFormat: (atMs: number) => decimalText(atMs),
        label: 'Time since the load began, in ms',
      }),
      ...shown.flatMap((line) => marksOf(line, endMs)),
      ...endLabels(shown, { endMs, apart: (highest * APART * 340) / y.height }),
    ],
    ariaLabel,
  );
}

/** A line in steps, which each hold until the next, to the end of the chart. */
function marksOf({ load, points, widthPx, isArea }: Line, endMs: number): Marks {
  const colour = stackColour(load.arm);
  const last = points.at(-1);
  const held = last ? [...points, { ...last, atMs: endMs }] : points;
  const at = { x: 'atMs', curve: 'step-after' } as const;
  return [
    // With y alone, points of one moment would be stacked.
    isArea && Plot.areaY(held, { ...at, y1: 0, y2: 'value', fill: colour, fillOpacity: 0.16 }),
    Plot.line(held, {
      ...at,
      y: 'value',
      stroke: colour,
      strokeWidth: widthPx,
      strokeDasharray: isArea ? 'none' : stackDashes(load.arm),
    }),
  ];
}

/** What each line is, at its end: the stack above the quantity. */
function endLabels(
  lines: readonly Line[],
  { endMs, apart }: { endMs: number; apart: number },
): Marks {
  const labels = lines
    .filter(({ isLabelled }) => isLabelled)
    .map(({ load, what, points }) => ({
      atMs: endMs,
      y: points.at(-1)?.value ?? 0,
      text: `${load.arm.label}: ${what}`,
      colour: stackColour(load.arm),
    }));
  const placed = movedApart(labels, apart);
  return [
    Plot.text(placed, {
      x: 'atMs',
      y: 'y',
      dx: 10,
      textAnchor: 'start',
      text: 'text',
      fill: 'colour',
    }),
  ];
}
