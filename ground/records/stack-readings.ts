import { type Reading, reading } from './reading.ts';
import * as s from './schema.ts';

/** A comparable property of stacks. */
export interface PropertyDescription {
  label: string;
  /** After a number. */
  unit?: string;
  /**
   * condition: must be equal for a like-for-like comparison. consequence: may follow from the protocol, so it is
   * shown but does not decide.
   */
  kind: 'condition' | 'consequence';
  /** Belongs to the transport: stacks of one server program can differ in it. */
  ofTransport?: boolean;
  /** plan: known before the first load; loads: computed from loads. */
  from: 'plan' | 'loads';
  /** Numbers are equal within this percentage of the smaller one, or within `toleranceAbsolute`. */
  tolerancePercent?: number;
  toleranceAbsolute?: number;
  /** Caveats. */
  note?: string;
}

/** All properties in the order of tables. */
export const STACK_PROPERTIES = {
  congestionControl: {
    label: 'congestion control',
    kind: 'condition',
    ofTransport: true,
    from: 'plan',
    note: "TCP's is read from a connection. QUIC's is the requested one, where its library does not report the one in use.",
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
    note: "Of a whole connection. QUIC's is initial_max_data of its ClientHellos, or known from Chromium's source code; TCP's follows from its buffer. Both grow.",
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
  serverLibrary: {
    label: 'server library',
    kind: 'consequence',
    from: 'plan',
    note: 'What speaks the protocol, with its version where the server reports it. Absent: before format 6.1.',
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
    note: 'UDP and TCP buffers are not comparable: QUIC empties its buffer at once, TCP keeps unread data in it. Neither may lose data: see receive-buffer errors.',
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
    note: 'The group. A post-quantum one makes the answer of a server a kilobyte longer. Your own servers choose their group.',
  },
  requests: {
    label: 'requests',
    kind: 'condition',
    from: 'loads',
    note: 'Methods and URLs without favicon.ico in more than half of the loads. Requests that both stacks make in some loads only vary by chance.',
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
    note: 'Mean number of datagrams dropped because a socket had no room, over everything measured in the run, failed and invalid included. TCP advertises its free space to the sender, so it has no such errors.',
  },
  packetsPerAcknowledgement: {
    label: 'packets received for each acknowledgement',
    kind: 'consequence',
    from: 'loads',
    tolerancePercent: 20,
    note: 'Of the client. TCP: for each of its packets without data. QUIC hides acknowledgements: for each of its packets, requests among them.',
  },
  serverCpuMs: {
    label: "server's processor time",
    unit: 'ms',
    kind: 'consequence',
    from: 'loads',
    tolerancePercent: 10,
    note: "Median. The server's program creates QUIC packets, the kernel creates TCP packets on its behalf.",
  },
} as const satisfies Record<string, PropertyDescription>;

export type StackProperty = keyof typeof STACK_PROPERTIES;

/** Known properties of a stack, from its configuration and from loads. Absent: not requested; value null: unknown. */
export type StackReadings = Partial<Record<StackProperty, Reading<string | number>>>;

export const stackReadingsSchema = s.withType<StackReadings>(
  s.map(
    reading(s.withType({ type: ['string', 'number'] }), 'A value and where it was read.'),
    'Known properties of the stack.',
  ),
);
