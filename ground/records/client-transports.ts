import * as s from './schema.ts';

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
      s.map(s.number(''), 'Its transport parameters that are numbers, by name (RFC 9000).'),
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
