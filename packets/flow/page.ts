import path from 'node:path';
import { writeFileAtomically } from '../../ground/records/atomic-file.ts';
import { documentText } from '../../kit/page/document.ts';
import { figure, legend, lineLegend } from '../../kit/page/figure.ts';
import { html, type Insert, type Markup } from '../../kit/page/markup.ts';
import { type ChartStack, colourNumber, stackLabel } from '../../kit/page/stack.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { countText, countWithNoun, decimalText, millisecondsText } from '../../kit/text/number.ts';
import { atServer } from './byte-series.ts';
import { CHART_STYLE, flowChart, MAX_COLUMNS, sharedRoundTripMs } from './chart.ts';
import { type Flow, type FlowConnection, flowJson, readFlow } from './flow.ts';
import { ARROW_STYLE, momentText } from './frame.ts';
import { overviewChart } from './overview-chart.ts';
import { type FlowStep, stepText } from './sequence.ts';
import { inFlightChart, type ServerSeries, timeSequenceChart } from './series-chart.ts';
import { createStackView, type StackFlows, type StackView } from './stack-view.ts';

interface FlowPageParts {
  title: string;
  /** Description of the capture: site, network, time; plain text. */
  about: string;
  stacks: readonly StackFlows[];
  more?: readonly PageSection[];
}

/** The packet charts as one file without external resources. */
export function flowPage({ title, about, stacks, more = [] }: FlowPageParts): string {
  const shown = stacks.map(createStackView).filter((stack) => stack !== null);
  const sections = [
    instantsSection(shown),
    sequenceSection(shown),
    overviewSection(shown),
    seriesSection(shown),
    ...more,
  ];
  return documentText({
    title,
    style: ARROW_STYLE + CHART_STYLE + STYLE,
    about: html`${about}`,
    contents: html`${sections.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}`,
    warnings: stacks
      .filter((stack) => createStackView(stack) === null)
      .map(({ label }) => `${label}: the capture has no TCP or QUIC connection.`),
    main: html`${sections.map(
      ({
        id,
        heading,
        content,
      }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>
${content}</section>
`,
    )}`,
    footer: html`<p>Drawn from packets. Times use the clock of the client's end: the client's packets count when they enter the path, the server's when they arrive.</p>`,
  });
}

const STYLE = `
.arrow-sample { width: 28px; height: 10px; margin-right: 0.45em; vertical-align: -0.05em; overflow: visible; }
`;

export interface PageSection {
  id: string;
  heading: string;
  content: Insert;
}

const COLUMNS: readonly Column<FlowConnection & { stack: ChartStack }>[] = [
  ['Stack', ({ stack }) => stackLabel(stack)],
  ['Protocol', ({ wire }) => wire.protocol ?? wire.transport],
  ['Began', ({ wire }) => millisecondsText(wire.beganMs)],
  ['Round trip', ({ wire }) => millisecondsText(wire.roundTripMs?.least)],
  ['May send', ({ wire }) => instant(wire, wire.maySendMs)],
  ['Complete', ({ wire }) => instant(wire, wire.completeMs)],
  ['Confirmed', ({ wire }) => instant(wire, wire.confirmedMs)],
  ['Requests', ({ wire }) => countText(wire.requests)],
  ['Packets', ({ wire }) => countText(wire.toServer.packets + wire.toClient.packets)],
  ['Bytes', ({ wire }) => countText(wire.toServer.bytes + wire.toClient.bytes)],
  ['Lost', ({ wire }) => countText(wire.toServer.lostPackets + wire.toClient.lostPackets)],
  [
    'Sent again',
    ({ wire }) =>
      countText(wire.toServer.retransmittedPackets + wire.toClient.retransmittedPackets),
  ],
];

function instant({ roundTripMs }: FlowConnection['wire'], ms: number | null): Insert {
  const trips = ms !== null && roundTripMs ? ms / roundTripMs.least : null;
  return html`${millisecondsText(ms)}${trips !== null && html` <small>${decimalText(trips, 1)} RTT</small>`}`;
}

function instantsSection(stacks: readonly StackView[]): PageSection {
  return {
    id: 'instants',
    heading: 'Connections',
    content: html`${stacks.some(({ of }) => of > 1) && html`<p>The whole load and bytes over time show a typical load of each stack, the median by duration: ${stacks.map(({ stack, of }) => `${stack.label} one of ${of}`).join(', ')}.</p>`}${stacks.filter(({ left }) => left > 0).map(({ stack, left }) => html`<p class="quiet">${stackLabel(stack)}: ${countWithNoun(left, 'connection')} with fewer bytes ${left === 1 ? 'is' : 'are'} not shown.</p>`)}
${table({
  label: 'Instants of connections',
  caption:
    "Times in ms: the beginning after the capture's first packet, the instants after the connection's. After a complete but not confirmed handshake the client does not know whether the server has its last message.",
  columns: COLUMNS,
  items: stacks.flatMap(({ stack, connections }) =>
    connections.map((connection) => ({ stack, ...connection })),
  ),
})}
`,
  };
}

function sequenceSection(stacks: readonly StackView[]): PageSection {
  const columns = stacks.map(({ column }) => column);
  const tripMs = sharedRoundTripMs(columns);
  const said = columns.map(({ label, about }) => `${label} (${about})`).join(', ');
  const chunks = Array.from({ length: Math.ceil(columns.length / MAX_COLUMNS) }, (_, at) =>
    columns.slice(at * MAX_COLUMNS, (at + 1) * MAX_COLUMNS),
  );
  return {
    id: 'sequence',
    heading: 'The first round trips',
    content: html`${stacks.map(({ stack, notes }) => notes.map((note) => html`<p>${stackLabel(stack)}: ${note}</p>`))}${figure(
      {
        name: 'The first round trips',
        caption: html`<p>Time runs downwards. An arrow leaves its sender's lifeline when the packet was sent and meets the receiver's when it arrived; a band is a flight of packets, from the first to the last. Dotted lines: when the client could send a request, had the complete handshake, and knew that the server had it too${tripMs !== null && `; grey stripes: round trips of ${millisecondsText(tripMs)} ms`}.</p>`,
        legend: arrowLegend(columns.some(({ steps }) => steps.some(({ spreadMs }) => spreadMs))),
        chart: html`${chunks.map((chunk) => flowChart(chunk, `Sequence of packets between client and server, time downwards: ${said}. The table below has all steps.`))}`,
        data: html`${stacks.map(({ column, stack }) => stepTable(html`${stackLabel(stack)}: ${column.about}; times at the client's end, in ms after the connection's first packet`, column.steps))}`,
      },
    )}<p class="quiet">The capture has the times of the client's end. The server's end of each arrow is half of the connection's least round-trip time away, so what a packet waits on its way beyond that looks like waiting at the server.</p>${shiftNotes(stacks)}
`,
  };
}

function shiftNotes(stacks: readonly StackView[]): Markup[] {
  return stacks.flatMap(({ stack, connections }) => {
    const shiftMs = Math.max(...connections.map((connection) => connection.shiftMs));
    if (shiftMs === 0) return [];
    return [
      html`<p>${stackLabel(stack)}: this capture was not made at the client's end. Its times were shifted by up to ${millisecondsText(shiftMs)} ms, half of the client's minimum acknowledgement time.</p>`,
    ];
  });
}

function overviewSection(stacks: readonly StackView[]): PageSection {
  const loads = stacks.map(({ stack, connections, zeroMs }) => ({
    label: stack.label,
    place: stack.place,
    connections,
    zeroMs,
  }));
  return {
    id: 'load',
    heading: 'The whole load',
    content: figure({
      name: 'The whole load',
      caption: html`<p>The same for every connection until its end. Additional connections are additional handshakes; white between bands is waiting.</p>`,
      legend: arrowLegend(false),
      chart: overviewChart(
        loads,
        `Packets of whole loads, time downwards: ${stacks.map(({ stack, connections }) => `${stack.label} on ${countWithNoun(connections.length, 'connection')}`).join(', ')}. The table below has all steps.`,
      ),
      data: html`${stacks.flatMap(({ stack, connections, zeroMs }) =>
        connections.map(({ steps, wire }, at) =>
          stepTable(
            html`${stackLabel(stack)}, connection ${at + 1} (${wire.client}); times in ms after the load's first packet`,
            steps.map((step) => ({
              ...step,
              beginMs: step.beginMs - zeroMs,
              endMs: step.endMs - zeroMs,
            })),
          ),
        ),
      )}`,
    }),
  };
}

function stepTable(caption: Insert, steps: readonly FlowStep[]): Markup {
  return table({
    caption,
    columns: [
      [
        'When',
        (step) => html`${momentText(step)}${step.spreadMs && ` ±${step.spreadMs.toFixed(1)}`}`,
      ],
      ['Sender', ({ direction }) => (direction === 'toServer' ? 'client' : 'server'), 'text'],
      ['What', stepText, 'text wrap'],
      ['Packets', ({ packets }) => countText(packets)],
      ['Bytes', ({ bytes }) => countText(bytes)],
    ],
    items: steps,
  });
}

function seriesSection(stacks: readonly StackView[]): PageSection {
  const all: ServerSeries[] = stacks.map(({ stack, largest, zeroMs }) => ({
    stack,
    series: atServer(largest.series, zeroMs, largest.leastRttMs),
  }));
  const names = all.map(({ stack }) => stack.label).join(', ');
  return {
    id: 'bytes',
    heading: 'Bytes over time',
    content: html`${figure({
      name: 'Bytes sent and acknowledged',
      caption: html`<p>The connection with most bytes of each load. The steeper the coloured line, the faster the server sends; its horizontal distance to the black line is the delay of acknowledgements. The receive window (dotted) is at the upper edge if it is beyond the chart.</p>`,
      legend: legend([
        html`${lineSample(`var(--stack-${colourNumber(all[0]?.stack.place ?? 0)})`, 'none')}sent by the server, in the stack's colour`,
        html`${lineSample('var(--ink)', 'none')}acknowledged by the client`,
        html`${lineSample('var(--quiet)', '2 3')}receive window: as much as the client allows`,
        html`<span class="verdict-slower" aria-hidden="true">×</span> lost packet`,
        html`<span class="verdict-slower" aria-hidden="true">○</span> sent again`,
      ]),
      chart: timeSequenceChart(
        all,
        `Bytes sent by the server, acknowledged and allowed over time: ${names}. The table below has the totals.`,
      ),
      data: table({
        caption: 'In bytes, of the connection with most bytes',
        columns: [
          ['Stack', ({ stack }) => stackLabel(stack)],
          ['Sent', ({ series }) => countText(series.sent.at(-1)?.bytes ?? 0)],
          ['Acknowledged', ({ series }) => countText(series.acknowledged.at(-1)?.bytes ?? 0)],
          ['Last sent at', ({ series }) => `${millisecondsText(series.sent.at(-1)?.atMs)} ms`],
          [
            'Window at the end',
            ({ series: { window } }) =>
              window.length > 0 ? countText(window.at(-1)?.bytes ?? 0) : 'not known',
          ],
          ['Lost packets', ({ series }) => countText(series.lost.length)],
          ['Packets sent again', ({ series }) => countText(series.resent.length)],
        ],
        items: all,
      }),
    })}${figure({
      name: 'Bytes in flight',
      caption: html`<p>Bytes in flight, estimated from packets: sent, but not acknowledged as far as the server knows. They are limited by the congestion window, or by the data to send.</p>`,
      legend: lineLegend(all.map(({ stack }) => stack)),
      chart: inFlightChart(all, `Bytes in flight over time: ${names}.`),
      data: html`<p>The difference of the two lines above.</p>`,
    })}`,
  };
}

function lineSample(stroke: string, dashes: string): Markup {
  return html`<svg class="line-sample" viewBox="0 0 28 8" aria-hidden="true"><path d="M0 4H28" stroke="${stroke}" stroke-dasharray="${dashes}"/></svg>`;
}

const ARROWS: readonly [name: string, words: string][] = [
  ['handshake', 'handshake'],
  ['request', 'requests'],
  ['data', 'responses'],
  ['small', 'acknowledgements, and frames of the connection itself'],
  ['lost', 'lost on the path'],
  ['resent', 'resent, or filling a gap'],
];

function arrowLegend(hasSpread: boolean): Markup {
  return legend([
    ...ARROWS.map(
      ([name, words]) =>
        html`<svg class="flow arrow-sample stack-1" viewBox="0 0 28 10" aria-hidden="true">${name === 'data' && html`<path class="band data" d="M0 0L28 4V10L0 6Z"/>`}<path class="${name}" d="${name === 'lost' ? 'M0 3L12 5M8 1l8 8m0 -8l-8 8' : name === 'data' ? 'M0 0L28 4M0 6L28 10' : 'M0 3L28 7'}"/></svg>${words}`,
    ),
    hasSpread &&
      html`<span class="sign" aria-hidden="true">┃</span>spread of the loads (± standard deviation)`,
  ]);
}

/** A capture to draw; captures with the same label are loads of one stack. */
interface LabelledCapture {
  file: string;
  label: string;
  keyLogFile?: string;
}

/**
 * Draws captures on one page, and writes the sequence of each next to it (`NAME.flow.json`).
 * @returns the files written, the page first
 * @throws what readCapture() throws
 */
export async function writeFlowPage(
  captures: readonly LabelledCapture[],
  out: string,
  {
    title = 'What went over the wire',
    about,
    more = [],
  }: Partial<Omit<FlowPageParts, 'stacks'>> = {},
): Promise<string[]> {
  const byLabel = new Map<string, Flow[]>();
  const files = [out];
  for (const { file, label, keyLogFile } of captures) {
    const flow = await readFlow(file, { keyLogFile });
    byLabel.set(label, [...(byLabel.get(label) ?? []), flow]);
    const json = path.join(path.dirname(out), `${flow.name}.flow.json`);
    await writeFileAtomically(json, flowJson(flow));
    files.push(json);
  }
  const stacks = [...byLabel].map(([label, loads], place) => ({ label, place, loads }));
  const names = captures.map(({ file }) => path.basename(file)).join(', ');
  await writeFileAtomically(out, flowPage({ title, about: about ?? names, stacks, more }));
  return files;
}
