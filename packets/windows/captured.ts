import * as Plot from '@observablehq/plot';
import { readTcpSamples } from '../../ground/records/tcp-sample.ts';
import { timeAxis, zeroAxis } from '../../kit/charts/axis.ts';
import { CHART_WIDTH_PX, type Marks, spreadLabels } from '../../kit/charts/canvas.ts';
import { xyChart } from '../../kit/charts/xy-chart.ts';
import { figure } from '../../kit/page/figure.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { type ChartStack, stackColour, stackDashes } from '../../kit/page/stack.ts';
import { table } from '../../kit/page/table.ts';
import { bytesText, countText, decimalText, millisecondsText } from '../../kit/text/number.ts';
import { readCapture } from '../connections/capture-reader.ts';
import type { PageSection } from '../flow/page.ts';
import { type LoadWindows, tcpWindows, totalsOf } from './load-windows.ts';
import { QuicWindows } from './quic-windows.ts';

interface SampledCapture {
  file: string;
  arm: ChartStack;
  /** File of TCP_INFO samples; null: not recorded. */
  samples: string | null;
}

/**
 * Draws the windows of the first load of each arm; without TCP_INFO draws nothing, because TCP's windows are unknown.
 * @throws what readCapture() throws
 */
export async function windowsOf(captures: readonly SampledCapture[]): Promise<PageSection[]> {
  if (captures.every(({ samples }) => samples === null)) return [];
  const firsts = [...Map.groupBy(captures, ({ arm }) => arm.arm).values()].flatMap(
    ([first]) => first ?? [],
  );
  const loads = (await Promise.all(firsts.map(loadWindows))).filter(
    (load) => load.connections.length > 0,
  );
  return loads.length === 0 ? [] : [section(loads)];
}

async function loadWindows({ file, arm, samples }: SampledCapture): Promise<LoadWindows> {
  let quic: QuicWindows | null = null;
  let beginMs = 0;
  await readCapture(file, {}, (captured) => {
    const { s, ns } = captured.packet;
    if (quic === null) beginMs = s * 1000 + ns / 1e6;
    quic ??= new QuicWindows(beginMs);
    quic.take(captured);
  });
  const connections =
    samples === null
      ? ((quic as QuicWindows | null)?.windows() ?? [])
      : await tcpWindows(readTcpSamples(samples), beginMs);
  return { arm, source: samples === null ? 'packets' : 'kernel', connections };
}

const SOURCES: Record<LoadWindows['source'], string> = {
  kernel: 'TCP_INFO',
  packets: 'estimated from packets',
};

function section(loads: readonly LoadWindows[]): PageSection {
  const names = loads.map(({ arm }) => arm.label).join(', ');
  const data = table({
    caption: 'One load of each stack, summed over its connections',
    columns: [
      ['Stack', ({ arm }) => html`<bdi>${arm.label}</bdi>`],
      ['Source', ({ source }) => SOURCES[source], 'text'],
      ['Connections', ({ connections }) => countText(connections.length)],
      [
        'Largest congestion window',
        ({ windows }) => (windows.length > 0 ? bytesText(Math.max(...windows)) : 'not known'),
      ],
      ['Most in flight', ({ inFlight }) => bytesText(Math.max(0, ...inFlight))],
      [
        'Least smoothed round trip, ms',
        ({ rttsMs }) => millisecondsText(rttsMs.length > 0 ? Math.min(...rttsMs) : null),
      ],
    ],
    items: loads.map((load) => {
      const totals = totalsOf(load.connections);
      return {
        ...load,
        windows: totals.flatMap(({ cwndBytes }) => cwndBytes ?? []),
        inFlight: totals.map(({ inFlightBytes }) => inFlightBytes),
        rttsMs: load.connections.flatMap(({ points }) =>
          points.flatMap(({ rttMs }) => rttMs ?? []),
        ),
      };
    }),
  });
  return {
    id: 'windows',
    heading: 'Windows at the server',
    content: html`${figure({
      name: 'Congestion windows and bytes in flight',
      caption: html`<p>Congestion windows and bytes in flight of the servers over time. TCP’s are from the server’s kernel (TCP_INFO); QUIC’s bytes in flight are estimated from packets, and its congestion window is not known.</p>`,
      chart: windowsChart(
        loads,
        `Congestion windows and bytes in flight over time: ${names}. The table below has the largest ones.`,
      ),
      data,
    })}${figure({
      name: 'Round trips',
      caption: html`<p>Smoothed round-trip times of the servers’ connections, from the kernel or estimated from packets.</p>`,
      chart: roundTripsChart(loads, `Smoothed round-trip times over time: ${names}.`),
      data,
    })}`,
  };
}

interface Point {
  atMs: number;
  value: number;
}

interface Line {
  load: LoadWindows;
  what: string;
  points: readonly Point[];
  widthPx: number;
  isArea: boolean;
  /** Whether the line's end has a label: only one line of each load and quantity has. */
  isLabelled: boolean;
}

/**
 * Congestion windows and bytes in flight of loads over time, each summed over a load's connections, on one axis. A window is a line,
 * known only for TCP; bytes in flight are an area, marked if estimated.
 */
export function windowsChart(loads: readonly LoadWindows[], ariaLabel: string): Markup {
  const lines = loads.flatMap((load): Line[] => {
    const totals = totalsOf(load.connections);
    const windows = totals.flatMap(({ atMs, cwndBytes }) =>
      cwndBytes === null ? [] : [{ atMs, value: cwndBytes }],
    );
    const inFlight = totals.map(({ atMs, inFlightBytes }) => ({ atMs, value: inFlightBytes }));
    return [
      {
        load,
        what: `congestion window, ${SOURCES[load.source]}`,
        points: windows,
        widthPx: 2.2,
        isArea: false,
        isLabelled: true,
      },
      {
        load,
        what: `bytes in flight, ${SOURCES[load.source]}`,
        points: inFlight,
        widthPx: 1,
        isArea: true,
        isLabelled: true,
      },
    ];
  });
  return lineChart(lines, { label: 'Bytes', tickText: bytesText, height: 340 }, ariaLabel);
}

/** Smoothed round-trip times of the connections of loads over time, a line for each connection. */
export function roundTripsChart(loads: readonly LoadWindows[], ariaLabel: string): Markup {
  const lines = loads.flatMap((load) =>
    load.connections.map(
      ({ points }, place): Line => ({
        load,
        what: `round trip, ${SOURCES[load.source]}`,
        points: points.flatMap(({ atMs, rttMs }) =>
          rttMs === null ? [] : [{ atMs, value: rttMs }],
        ),
        widthPx: 1.6,
        isArea: false,
        isLabelled: place === 0,
      }),
    ),
  );
  const tickText = (valueMs: number) => decimalText(valueMs);
  return lineChart(lines, { label: 'Round trip in ms', tickText, height: 220 }, ariaLabel);
}

const LABELS_PX = 330;
/** Share of the chart's height between two labels of two lines. */
const APART = 0.13;

function lineChart(
  lines: readonly Line[],
  y: { label: string; tickText: (value: number) => string; height: number },
  ariaLabel: string,
): Markup {
  const shown = lines.filter(({ points }) => points.length > 0);
  const begins = shown.map(({ points }) => points[0]?.atMs ?? 0);
  const x = timeAxis(
    shown.map(({ points }) => points.at(-1)?.atMs ?? 0),
    'the load began',
  );
  const axis = zeroAxis(
    shown.flatMap(({ points }) => points.map(({ value }) => value)),
    y,
    1.05,
  );
  const endMs = x.domain[1];
  return xyChart(
    {
      x: { ...x, domain: [Math.min(0, ...begins), endMs] },
      y: axis,
      series: shown.map(({ load, points }) => ({
        arm: load.arm,
        points: points.map(({ atMs, value }) => ({ x: atMs, y: value })),
      })),
      size: { width: CHART_WIDTH_PX, height: y.height, marginLeft: 70, marginRight: LABELS_PX },
      marks: [
        () => shown.flatMap((line) => marksOf(line, endMs)),
        () => endLabels(shown, { endMs, apart: (axis.domain[1] * APART * 340) / y.height }),
      ],
    },
    ariaLabel,
  );
}

/** A step line: each value holds until the next, the last to the end of the chart. */
function marksOf({ load, points, widthPx, isArea }: Line, endMs: number): Marks {
  const colour = stackColour(load.arm);
  const last = points.at(-1);
  const held = last ? [...points, { ...last, atMs: endMs }] : points;
  const at = { x: 'atMs', curve: 'step-after' } as const;
  return [
    // With y alone, points of the same time would be stacked.
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

/** Label at the end of each line: the stack above the quantity. */
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
  const placed = spreadLabels(labels, apart);
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
