import { bytesText, countWithNoun } from '../../kit/text/number.ts';
import {
  PACKET_KINDS,
  type PacketEvent,
  type PacketKind,
  type PacketMessage,
} from './packet-event.ts';

/** An arrow of a flow chart: one packet, or similar packets of a flight. */
export interface FlowStep extends Pick<PacketEvent, 'direction' | 'kind' | 'fate'> {
  /** Times of its first and last packet at the client's end, in ms after the file's first packet. */
  beginMs: number;
  endMs: number;
  packets: number;
  /** Of complete frames. */
  bytes: number;
  /** Of the TCP or QUIC stream data. */
  dataBytes: number;
  /** Ids of request and response streams, in order of appearance. */
  streams: number[];
  says: PacketMessage[];
  /** For means: standard deviation of the start. */
  spreadMs?: number | null;
}

/**
 * Groups the packets of a connection into steps. Handshake and close packets are separate steps. Data of one side are a flight, which
 * ends with a silence of a quarter of the round-trip time, or with data from the other side. Acknowledgements are grouped in the same
 * way, but end no flight.
 * @param events in any order
 * @param minRttMs null: unknown, only simultaneous packets share a flight
 */
export function sequenceOf(events: readonly PacketEvent[], minRttMs: number | null): FlowStep[] {
  const halfMs = (minRttMs ?? 0) / 2;
  const arrivals = events.toSorted((a, b) => a.atMs - b.atMs);
  const steps: FlowStep[] = [];
  /** Steps that the next packet of a direction and group may join. */
  const open = new Map<string, FlowStep>();
  for (const event of arrivals) {
    const group = groupOf(event);
    if (!isSmall(event.kind)) closeAll(open, event);
    const key = `${event.direction} ${group}`;
    const before = joinable(open, key, event);
    const isNear = before !== undefined && event.atMs - before.endMs <= halfMs / 2;
    if (isNear) join(before, event);
    else open.set(key, pushStep(steps, event));
    if (event.kind === 'handshake' && event.says.length > 0) open.delete(key);
  }
  return steps.sort((a, b) => a.beginMs - b.beginMs);
}

/** Group of packets that may share a step: small packets, or packets with the same fate. */
function groupOf({ kind, fate }: PacketEvent): string {
  if (fate !== 'lost' && isSmall(kind)) return 'small';
  return kind === 'handshake' || kind === 'close' ? `handshake ${fate}` : fate;
}

/** Whether packets are drawn thin and without a label: acknowledgements, and frames of the connection itself. */
export function isSmall(kind: PacketKind): boolean {
  return kind === 'acknowledgement' || kind === 'control';
}

/** Ends the other side's flights, and on a handshake packet this side's named handshake messages. */
function closeAll(open: Map<string, FlowStep>, { direction, kind }: PacketEvent): void {
  for (const [key, step] of open) {
    if (isSmall(step.kind)) continue;
    if (step.direction !== direction || (kind === 'handshake' && step.says.length > 0))
      open.delete(key);
  }
}

/** A TLS message over TCP may begin in segments that look like data. */
function joinable(
  open: Map<string, FlowStep>,
  key: string,
  event: PacketEvent,
): FlowStep | undefined {
  if (event.kind !== 'handshake') return open.get(key);
  const part = open.get(key) ?? open.get(`${event.direction} ${event.fate}`);
  return part && part.says.length === 0 ? part : undefined;
}

function pushStep(steps: FlowStep[], { atMs, ...event }: PacketEvent): FlowStep {
  const step = {
    ...event,
    beginMs: atMs,
    endMs: atMs,
    packets: 1,
    streams: [...new Set(event.streams)],
  };
  steps.push({ ...step, says: [...event.says] });
  return steps.at(-1) as FlowStep;
}

function join(step: FlowStep, event: PacketEvent): void {
  step.endMs = event.atMs;
  step.packets += 1;
  step.bytes += event.bytes;
  step.dataBytes += event.dataBytes;
  if (PACKET_KINDS.indexOf(event.kind) < PACKET_KINDS.indexOf(step.kind)) step.kind = event.kind;
  for (const stream of event.streams) if (!step.streams.includes(stream)) step.streams.push(stream);
  // Messages of small packets are listed once.
  for (const text of event.says) {
    if (isSmall(event.kind) && step.says.some(({ name }) => name === text.name)) continue;
    step.says.push(text);
  }
}

/** A step in words: `Initial: ServerHello`, `GET /`, `response on stream 4: 9 packets, 8.7 kB`. */
export function stepText(step: FlowStep): string {
  return `${prefixOf(step)}${whatText(step)}`;
}

function prefixOf({ fate }: FlowStep): string {
  return fate === 'arrived' ? '' : `${fate}: `;
}

function whatText(step: FlowStep): string {
  const { kind, packets, says } = step;
  const text = messagesText(says);
  if (isSmall(kind)) {
    const acks = countWithNoun(packets, kind === 'control' ? 'small packet' : 'acknowledgement');
    return text === '' ? acks : packets === 1 ? text : `${acks}: ${text}`;
  }
  if (kind === 'data') return [dataText(step), text].filter((part) => part !== '').join('; ');
  const whole = text || `part of the ${kind}`;
  return packets > 1 ? `${whole} (${countWithNoun(packets, 'packet')})` : whole;
}

/** A step in a chart's few words; no-break spaces keep words together. */
export function shortText(step: FlowStep): string {
  const { kind, says, streams, packets, dataBytes } = step;
  const prefix = prefixOf(step);
  const own = streamsText(streams);
  const which =
    streams.length > 1 ? `, ${own}` : streams.length > 0 ? `, ${withoutBreaks(own)}` : '';
  if (kind === 'data') {
    const size = withoutBreaks(bytesText(dataBytes));
    const count = packets > 1 ? `${withoutBreaks(countWithNoun(packets, 'packet'))}, ` : '';
    return `${prefix}${count}${size}${which}`;
  }
  if (kind === 'request' && says.length > 1) {
    const requests = says.filter(isRequest).length;
    if (requests > 1)
      return `${prefix}${withoutBreaks(countWithNoun(requests, 'request'))}${which}`;
  }
  const main = says.filter(({ name }) => !MINOR.has(name));
  const text = messagesText(main.length > 0 ? main : says, false);
  return `${prefix}${text || (isSmall(kind) ? 'ACK' : `part of the ${kind}`)}`;
}

function isRequest({ name, stream }: PacketMessage): boolean {
  return stream !== undefined || name.includes(' ');
}

function withoutBreaks(text: string): string {
  return text.replaceAll(' ', '\u00a0');
}

/** Messages of every handshake that do not mark its progress. */
const MINOR: ReadonlySet<string> = new Set([
  'EncryptedExtensions',
  'CertificateVerify',
  'NewSessionTicket',
  'SETTINGS',
  'WINDOW_UPDATE',
  'NEW_CONNECTION_ID',
  'NEW_TOKEN',
]);

function dataText({ direction, packets, dataBytes, streams }: FlowStep): string {
  const size = `${countWithNoun(packets, 'packet')}, ${bytesText(dataBytes)}`;
  if (streams.length > 1) return `${size}, ${streamsText(streams)}`;
  const what = direction === 'toClient' ? 'response' : 'data';
  return `${what}${streams.length === 1 ? ` on ${streamsText(streams)}` : ''}: ${size}`;
}

const MAX_STREAMS = 4;

function streamsText(streams: readonly number[]): string {
  const shown = streams
    .toSorted((a, b) => a - b)
    .slice(0, MAX_STREAMS)
    .join(', ');
  const rest = streams.length - MAX_STREAMS;
  return `stream${streams.length === 1 ? '' : 's'} ${shown}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Messages in one type of QUIC packet share its name; repeated messages are counted. */
function messagesText(says: readonly PacketMessage[], isCounted = true): string {
  const groups: { within: string | undefined; names: Map<string, number> }[] = [];
  for (const { name, stream, within } of says) {
    if (groups.at(-1)?.within !== within || groups.length === 0)
      groups.push({ within, names: new Map() });
    const names = groups.at(-1)?.names ?? new Map<string, number>();
    const text =
      stream === undefined || name.includes(' ') ? name : `${name} stream\u00a0${stream}`;
    names.set(text, (names.get(text) ?? 0) + 1);
  }
  return groups
    .map(({ within, names }) => {
      const text = [...names].map(([name, times]) =>
        isCounted && times > 1 ? `${name} ×${times}` : name,
      );
      return `${within === undefined ? '' : `${within}: `}${text.join(', ')}`;
    })
    .join('; ');
}
