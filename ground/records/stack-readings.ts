import { type Reading, reading } from './reading.ts';
import * as s from './schema.ts';

/** A property of a stack that can be compared with the same one of another stack. */
export interface PropertyDescription {
  /** For tables and sentences. */
  label: string;
  /** After a number. */
  unit?: string;
  /**
   * condition: has to be equal for a like-for-like comparison, so it decides. consequence: may follow from the protocol
   * itself, so it is compared and shown and decides nothing.
   */
  kind: 'condition' | 'consequence';
  /** Belongs to the transport and its sender: two stacks of one server program can differ in it. */
  ofTransport?: boolean;
  /** plan: can be told before the first load; loads: is counted from loads. */
  from: 'plan' | 'loads';
  /** Numbers are equal when they differ by at most this many percent of the smaller one, or by `toleranceAbsolute`. */
  tolerancePercent?: number;
  toleranceAbsolute?: number;
  /** What a reader has to know. */
  note?: string;
}

/** Every property in the order of tables. */
export const STACK_PROPERTIES = {
  congestionControl: {
    label: 'congestion control',
    kind: 'condition',
    ofTransport: true,
    from: 'plan',
    note: "TCP's is read from a connection, QUIC's is as asked where its library does not tell what it uses.",
  },
  initialWindowPackets: {
    label: 'initial window',
    unit: 'packets',
    kind: 'condition',
    ofTransport: true,
    from: 'plan',
    note: "TCP's window is counted in segments of one packet each, QUIC's in bytes, as packets of the size that its library counts with.",
  },
  windowGrowth: {
    label: 'window growth',
    kind: 'condition',
    ofTransport: true,
    from: 'plan',
    note: 'In slow start, known from source code. Per packet: a full packet for each one that is acknowledged, however small. HyStart ends slow start when the round trip becomes longer.',
  },
  lossBackOff: {
    label: 'back-off after a loss',
    kind: 'condition',
    ofTransport: true,
    from: 'plan',
    note: 'What is left of the congestion window, known from source code. Packet conservation: one packet is sent for each one that arrives.',
  },
  clientReceiveWindowBytes: {
    label: "client's first receive window",
    unit: 'bytes',
    kind: 'condition',
    ofTransport: true,
    from: 'plan',
    tolerancePercent: 2,
    note: "Of a whole connection. QUIC's is known from Chromium's source code, TCP's follows from its buffer; both grow.",
  },
  pacing: {
    label: 'pacing',
    kind: 'condition',
    ofTransport: true,
    from: 'plan',
    note: 'Whether the sender spreads packets over a round trip: known from source code, of TCP also from the queueing discipline.',
  },
  responseOrder: {
    label: 'response order',
    kind: 'condition',
    ofTransport: true,
    from: 'plan',
    note: 'Of responses that are under way at the same time, known from a test of each stack. Bytes that the kernel already has for TCP come first in any order.',
  },
  pathMtuBytes: {
    label: 'path MTU',
    unit: 'bytes',
    kind: 'condition',
    from: 'plan',
    note: 'The largest packet that the device lets through. How much of it a packet of QUIC fills, its sender decides.',
  },
  segmentsPerPacket: {
    label: 'segments per packet',
    kind: 'condition',
    from: 'plan',
    note: 'More than 1 would let segments cross the path as one packet.',
  },
  offloads: {
    label: 'segmentation offloads',
    kind: 'condition',
    from: 'plan',
    note: 'Of the device that both protocols use.',
  },
  certificateChainBytes: {
    label: 'certificate chain',
    unit: 'bytes',
    kind: 'condition',
    from: 'plan',
    toleranceAbsolute: 16,
    note: 'The certificates as sent (DER), before any compression; signatures of one key vary by some bytes from certificate to certificate.',
  },
  serverProgram: {
    label: 'server program',
    kind: 'condition',
    from: 'plan',
  },
  serverLanguage: {
    label: 'server language',
    kind: 'condition',
    from: 'plan',
  },
  receiveBufferBytes: {
    label: "server's receive buffer",
    unit: 'bytes',
    kind: 'consequence',
    from: 'plan',
    note: 'Sizes of UDP and TCP buffers mean different things: QUIC empties the buffer into its program at once, TCP keeps in it what was not read yet. What has to be equal is that neither loses anything: see receive-buffer errors.',
  },
  tlsVersion: {
    label: 'TLS version',
    kind: 'condition',
    from: 'loads',
    note: "QUIC's handshake is TLS 1.3's (RFC 9001).",
  },
  cipher: {
    label: 'cipher',
    kind: 'condition',
    from: 'loads',
  },
  keyExchange: {
    label: 'key exchange',
    kind: 'condition',
    from: 'loads',
    note: 'The group. A post-quantum one makes the answer of a server a kilobyte longer. Servers of your own are asked for none.',
  },
  requests: {
    label: 'requests',
    kind: 'condition',
    from: 'loads',
    note: 'Methods and URLs, favicon.ico left out, as in more than half of the loads. What both stacks request in some loads only is left to chance.',
  },
  responseHeaders: {
    label: 'response headers and compression',
    kind: 'condition',
    from: 'loads',
    note: 'Status and header fields of each response, content-encoding among them, as in more than half of the loads; not compared: the value of date, and of cookies and other secrets.',
  },
  connections: {
    label: 'connections',
    kind: 'condition',
    from: 'loads',
    tolerancePercent: 10,
    note: 'Median; equal within 10 percent.',
  },
  peakConcurrentRequests: {
    label: 'most requests at the same time',
    kind: 'condition',
    from: 'loads',
    tolerancePercent: 50,
    toleranceAbsolute: 4,
    note: 'Median; equal within 50 percent or 4, because it varies by as much by itself. A client that holds requests back over one of the protocols shows a difference of several times.',
  },
  receiveBufferErrors: {
    label: 'receive-buffer errors',
    kind: 'condition',
    from: 'loads',
    note: 'Mean number of datagrams dropped because a socket had no room, over everything measured in the run, failed and invalid included. TCP tells its sender how much room there is, so it has none.',
  },
  serverCpuMs: {
    label: "server's processor time",
    unit: 'ms',
    kind: 'consequence',
    from: 'loads',
    tolerancePercent: 10,
    note: "Median. QUIC's packets are made in the server's program, TCP's in the kernel on behalf of it.",
  },
} as const satisfies Record<string, PropertyDescription>;

export type StackProperty = keyof typeof STACK_PROPERTIES;

/**
 * What is known of a stack, by property: of its configuration before the first load, and of the loads. An absent property was
 * not asked for; one with the value null was, but could not be told.
 */
export type StackReadings = Partial<Record<StackProperty, Reading<string | number>>>;

export const stackReadingsSchema = s.withType<StackReadings>(
  s.map(
    reading(s.withType({ type: ['string', 'number'] }), 'A value and where it was read.'),
    'What is known of the stack, by property.',
  ),
);
