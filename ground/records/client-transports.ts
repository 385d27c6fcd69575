import * as s from './schema.ts';

interface TransportParameter {
  name: string;
  /** Several: of drafts. */
  ids: readonly number[];
  unit: string;
  /** Where it is not sent; absent: nothing is offered. */
  byDefault?: number;
}

/** Transport parameters that are read, in the order of tables (RFC 9000, section 18.2; drafts of acknowledgement frequency). */
export const TRANSPORT_PARAMETERS: readonly TransportParameter[] = [
  { name: 'initial_max_data', ids: [0x04], unit: 'bytes' },
  { name: 'initial_max_stream_data_bidi_local', ids: [0x05], unit: 'bytes' },
  { name: 'initial_max_stream_data_bidi_remote', ids: [0x06], unit: 'bytes' },
  { name: 'initial_max_stream_data_uni', ids: [0x07], unit: 'bytes' },
  { name: 'max_idle_timeout', ids: [0x01], unit: 'ms' },
  { name: 'max_udp_payload_size', ids: [0x03], unit: 'bytes', byDefault: 65_527 },
  { name: 'ack_delay_exponent', ids: [0x0a], unit: '', byDefault: 3 },
  { name: 'max_ack_delay', ids: [0x0b], unit: 'ms', byDefault: 25 },
  { name: 'min_ack_delay', ids: [0xff02de1a, 0xff03de1a, 0xff04de1b], unit: 'µs' },
  { name: 'active_connection_id_limit', ids: [0x0e], unit: '', byDefault: 2 },
];

const helloSchema = s.object(
  {
    bytes: s.count('Its size, in bytes.'),
    packets: s.count('Packets that it took.'),
    firstPacketBytes: s.count('Payload of the first of them, in bytes.'),
  },
  'Its first ClientHello; absent: none was readable.',
);

export type HelloRecord = s.Static<typeof helloSchema>;

const quicSchema = s.object(
  {
    hello: s.optional(helloSchema),
    transportParameters: s.optional(
      s.map(s.number(''), 'Its transport parameters, by name; absent ones have defaults.'),
    ),
    sentPackets: s.count('Packets that it sent after handshakes, requests among them.'),
    receivedPackets: s.count('Packets that it received after handshakes.'),
  },
  'Over QUIC; absent: no packets.',
);

const synSchema = s.object(
  {
    windowBytes: s.count('Receive window that it offers, in bytes; in a SYN it is not scaled.'),
    windowScale: s.orNull(s.count('Its other windows count 2 to this power; null: not scaled.')),
    mssBytes: s.orNull(s.count('Largest segment that it accepts, in bytes; null: not offered.')),
    sack: s.flag('Whether it offers selective acknowledgements.'),
    timestamps: s.flag('Whether it offers timestamps.'),
  },
  'Its first SYN; absent: no connection began.',
);

export type SynRecord = s.Static<typeof synSchema>;

const tcpSchema = s.object(
  {
    hello: s.optional(helloSchema),
    syn: s.optional(synSchema),
    largestWindowBytes: s.orNull(
      s.count('Largest receive window of its acknowledgements, in bytes; null: not known.'),
    ),
    acknowledgements: s.count('Segments that it sent with an acknowledgement only.'),
    dataPackets: s.count('Segments with data that it received.'),
  },
  'Over TCP; absent: no packets.',
);

/** Behaviour of a client in one attempt, by transport, from packets at its end of the path. */
export const clientTransportsSchema = s.object(
  { quic: s.optional(quicSchema), tcp: s.optional(tcpSchema) },
  'What the client offers and how often it acknowledges. Absent: before format 6.2.',
);

export type ClientTransports = s.Static<typeof clientTransportsSchema>;
