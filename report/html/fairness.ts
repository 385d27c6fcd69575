import type {
  BufferRange,
  EndManifest,
  FairnessManifest,
  Reading,
} from '../../records/fairness.ts';
import type { PlannedStack, RunRecord } from '../../records/run.ts';
import { momentText } from '../moment-text.ts';
import { countText } from '../number-text.ts';
import { html, type Insert, type Markup } from './markup.ts';
import { scrolling } from './name.ts';

/** The fairness manifest: what both ends had to work with, and whether TCP and QUIC had the same. */
export function fairnessTables({ fairness, stacks }: RunRecord): Markup {
  const quic = stacks.filter(({ protocol }) => protocol === 'h3');
  return html`<h3>What both ends had to work with</h3>
<p>Read back from the system, not copied from what was asked for (${momentText(fairness.readAt)}); <em>unknown</em>: this
system does not tell. QUIC lives in the server's program and in the browser, so what is said of its side is what the server
says of itself.</p>
${quic.map((stack) => againstTcp(fairness, stack))}
${endsTable(fairness)}
${saidTable(fairness, stacks)}`;
}

/** What has to be equal for a difference between TCP and QUIC to speak about the protocols. */
function againstTcp({ server, stacks }: FairnessManifest, { stack, label }: PlannedStack): Markup {
  const said = Object.entries(stacks[stack] ?? {});
  const saidAs = (pattern: RegExp) => said.find(([name]) => pattern.test(name))?.[1].value ?? null;
  const tcpWindow = server.tcpInitialWindowSegments.value;
  const quicWindow = saidAs(/^initial.*window/i);
  const windowsDiffer =
    tcpWindow !== null && quicWindow !== null && Number(quicWindow) !== tcpWindow;
  const rows: [what: string, tcp: string | null, quic: string | null, equal: boolean][] = [
    [
      'Congestion control',
      server.tcpCongestionControl.value,
      saidAs(/^congestion.?control/i),
      server.tcpCongestionControl.value === saidAs(/^congestion.?control/i),
    ],
    [
      'Initial window',
      tcpWindow === null ? null : `${countText(tcpWindow)} segments`,
      quicWindow === null ? null : `${quicWindow} packets`,
      !windowsDiffer,
    ],
  ];
  return html`${
    windowsDiffer &&
    html`<p><strong>${label} starts with a window of ${quicWindow} packets and TCP with ${tcpWindow}.</strong> The one with
the larger window may send more before the first acknowledgement is back, which is worth round trips where there is delay.
This is how each comes as it is; <code>--initcwnd matched</code> makes TCP start like lsquic.</p>`
  }
${scrolling(
  `TCP against ${label}`,
  html`<table class="senders">
<caption>The servers' senders, TCP against QUIC</caption>
<thead><tr><td></td><th scope="col" class="text">TCP</th><th scope="col" class="text">${label}</th><th scope="col" class="text">Same?</th></tr></thead>
<tbody>
${rows.map(
  ([what, tcp, quic, equal]) =>
    html`<tr><th scope="row">${what}</th> <td class="text">${orUnknown(tcp)}</td> <td class="text">${orUnknown(quic)}</td>
${sameness(tcp === null || quic === null ? null : equal)}</tr>
`,
)}</tbody></table>`,
)}`;
}

function sameness(equal: boolean | null): Markup {
  if (equal === null) return html`<td class="text">${UNKNOWN}</td>`;
  return equal ? html`<td class="text">equal</td>` : html`<td class="text lacking">differs</td>`;
}

function endsTable({ client, server }: FairnessManifest): Markup {
  return html`<details class="printed"><summary>Both ends of the path in full</summary>
${scrolling(
  'Both ends of the path',
  html`<table class="ends">
<caption>Both ends of the path</caption>
<thead><tr><td></td><th scope="col" class="text">Browser's end</th><th scope="col" class="text">Servers' end</th><th scope="col" class="text">Read from</th></tr></thead>
<tbody>
${ENDS.map(
  ([what, of]) =>
    html`<tr><th scope="row">${what}</th><td class="text wrap">${of(client).text}</td><td class="text wrap">${of(server).text}</td>
<td class="text wrap quiet">${of(server).from}</td></tr>
`,
)}</tbody></table>`,
)}</details>`;
}

function saidTable({ stacks }: FairnessManifest, planned: readonly PlannedStack[]): Markup | false {
  const rows = planned.flatMap(({ stack, label }) =>
    Object.entries(stacks[stack] ?? {}).map(([name, { value }]) => ({ label, name, value })),
  );
  if (rows.length === 0) return false;
  return html`<details class="printed"><summary>What the servers say of themselves</summary>
${scrolling(
  'What the servers say of themselves',
  html`<table>
<caption>What the servers say of themselves</caption>
<thead><tr><th scope="col" class="text">Stack</th><th scope="col" class="text">What</th><th scope="col" class="text">Value</th></tr></thead>
<tbody>
${rows.map(
  ({ label, name, value }) =>
    html`<tr><th scope="row">${label}</th><td class="text"><bdi>${name}</bdi></td><td class="text wrap">${orUnknown(value)}</td></tr>
`,
)}</tbody></table>`,
)}</details>`;
}

const UNKNOWN = html`<em>unknown</em>`;

function orUnknown(text: string | null): Insert {
  return text === null ? UNKNOWN : html`<bdi>${text}</bdi>`;
}

interface Shown {
  text: Insert;
  from: string;
}

function shown<T>(reading: Reading<T>, textOf: (value: T) => string): Shown {
  const { value, from } = reading;
  return { text: orUnknown(value === null ? null : textOf(value)), from };
}

const asItIs = (value: string) => value;
const onOrOff = (value: boolean) => (value ? 'on' : 'off');
const yesOrNo = (value: boolean) => (value ? 'yes' : 'no');
const bytes = (value: number) => `${countText(value)} bytes`;
const rangeOf = ({ minimum, initial, maximum }: BufferRange) =>
  `${bytes(initial)} at first (${countText(minimum)} to ${countText(maximum)})`;
const ECN = ['off', 'asked for', 'granted when asked'];

/** Every reading of an end in the order of the table. */
const ENDS: [what: string, of: (end: EndManifest) => Shown][] = [
  ['TCP congestion control', (end) => shown(end.tcpCongestionControl, asItIs)],
  [
    'TCP initial window',
    (end) => shown(end.tcpInitialWindowSegments, (value) => `${countText(value)} segments`),
  ],
  ['Payload of a full TCP segment', (end) => shown(end.tcpMssBytes, bytes)],
  ['MTU of the path, as TCP takes it', (end) => shown(end.pathMtuBytes, bytes)],
  ['MTU of the device', (end) => shown(end.deviceMtuBytes, bytes)],
  ['Segments per packet', (end) => shown(end.segmentsPerPacket, countText)],
  ['Queueing discipline', (end) => shown(end.queueingDiscipline, asItIs)],
  ['Offloads switched on', (end) => shown(end.offloads, switchedOn)],
  ['TCP slow start after idle', (end) => shown(end.tcpSlowStartAfterIdle, onOrOff)],
  ['TCP remembers earlier connections', (end) => shown(end.tcpSavesMetrics, yesOrNo)],
  ['TCP ECN', (end) => shown(end.tcpEcn, (value) => ECN[value] ?? String(value))],
  ['TCP receive buffer', (end) => shown(end.tcpReceiveBufferBytes, rangeOf)],
  ['TCP send buffer', (end) => shown(end.tcpSendBufferBytes, rangeOf)],
  ['UDP receive buffer', (end) => shown(end.udpReceiveBufferBytes, bytes)],
  ['UDP send buffer', (end) => shown(end.udpSendBufferBytes, bytes)],
  ['Largest UDP receive buffer to ask for', (end) => shown(end.udpReceiveBufferLimitBytes, bytes)],
  ['Largest UDP send buffer to ask for', (end) => shown(end.udpSendBufferLimitBytes, bytes)],
  ['IPv6', (end) => shown(end.ipv6, onOrOff)],
  ['Routes', (end) => shown(end.routes, (routes) => routes.join(', ') || 'none')],
];

function switchedOn(offloads: Record<string, boolean>): string {
  const names = Object.keys(offloads).filter((name) => offloads[name]);
  return names.join(', ') || 'none';
}
