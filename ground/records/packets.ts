import { formatFields } from './format.ts';
import * as s from './schema.ts';

/** Categories of bytes; each byte of a packet belongs to exactly one. */
export const LAYERS = {
  ethernet: 'link-layer headers',
  ip: 'IP headers',
  transport: 'TCP or UDP headers',
  quic: 'headers and authentication tags of QUIC packets, and headers of frames',
  tls: 'headers and authentication tags of TLS records; alerts and ChangeCipherSpec',
  handshake: 'TLS handshake messages: hellos, certificates, tickets',
  http: 'HTTP headers and frames: everything except bodies',
  payload: 'HTTP bodies',
  padding: 'padding',
  acknowledgements: 'packets that only acknowledge, and acknowledgements in other packets',
  retransmissions: 'retransmitted data',
  unread: 'encrypted without a key, another protocol, or not in the file',
} as const;

export type Layer = keyof typeof LAYERS;
export const LAYER_NAMES = Object.keys(LAYERS) as Layer[];

const layersSchema = (description: string) =>
  s.object(
    Object.fromEntries(LAYER_NAMES.map((layer) => [layer, s.count(`${LAYERS[layer]}.`)])) as Record<
      Layer,
      ReturnType<typeof s.count>
    >,
    description,
  );

const directionSchema = (description: string) =>
  s.object(
    {
      packets: s.count('On the wire, including lost packets.'),
      bytes: s.count('Of whole frames.'),
      lostPackets: s.count('Packets that the path lost or dropped, where the capture marks them.'),
      ackPackets: s.count('Packets that only acknowledge.'),
      retransmittedPackets: s.count('Packets with retransmitted data.'),
      retransmittedBytes: s.count('Of retransmitted data.'),
      handshakeBytes: s.count('Of TLS handshake messages, without retransmissions.'),
      paddingBytes: s.count('Of padding.'),
      payloadBytes: s.count('Of HTTP bodies.'),
    },
    description,
  );

const closeSchema = s.object(
  {
    by: s.oneOf(['client', 'server'], 'Sender of the message.'),
    layer: s.oneOf(['tls', 'quic', 'application', 'tcp'], 'Layer of the message.'),
    code: s.count('As it was sent.'),
    name: s.text('Name of the code in its standard.'),
    isError: s.flag('Whether it is an error; an orderly close is not.'),
  },
  'A message that ends a connection: TLS alert, CONNECTION_CLOSE of QUIC, GOAWAY of HTTP/2, TCP reset; without retransmissions.',
);

const migrationSchema = s.object(
  {
    client: s.name("The client's new ip:port."),
    beganMs: s.number(
      "When its first packet from the new address was captured, after the connection's first.",
    ),
    challengedMs: s.orNull(s.number('When the server sent PATH_CHALLENGE; null: not seen.')),
    answeredMs: s.orNull(s.number('When the client sent PATH_RESPONSE; null: not seen.')),
  },
  "A change of a QUIC client's port or address; times in ms.",
);

/** A change of the client's port or address, with the server's path validation. */
export type ClientMigration = s.Static<typeof migrationSchema>;

const wireConnectionSchema = s.object(
  {
    transport: s.oneOf(
      ['tcp', 'quic', 'udp'],
      'Transport protocol; udp: unknown protocol over UDP.',
    ),
    client: s.name('ip:port of the end that opened it.'),
    server: s.name('ip:port of the other end.'),
    host: s.orNull(s.text('Server name from the ClientHello (SNI); null: not seen.')),
    protocol: s.orNull(s.text('Negotiated protocol (ALPN); null: not seen.')),
    tlsVersion: s.orNull(s.text('TLS 1.3, TLS 1.2; null: not seen.')),
    cipher: s.orNull(s.text('The cipher suite; null: not seen.')),
    group: s.orNull(s.text('The group of the key exchange; null: not seen.')),
    opened: s.oneOf(
      ['all', 'part', 'none'],
      'How much of the encrypted data could be decrypted; none: no keys, or nothing was encrypted.',
    ),
    requests: s.count('Requests that could be decrypted.'),
    beganMs: s.number(
      'When its first packet was captured, in ms after the first packet of the attempt.',
    ),
    clientHelloMs: s.optional(
      s.orNull(
        s.number(
          "When the whole ClientHello had left, in ms after the connection's first packet, including any pause after TCP's handshake. null: not seen. Absent: not read by older versions.",
        ),
      ),
    ),
    handshakePackets: s.optional(
      s.orNull(
        s.object(
          {
            firstMs: s.number("When the first was captured, after the connection's first packet."),
            lastMs: s.number('When the last was captured.'),
          },
          'Times of QUIC Handshake packets (between Initial and 1-RTT), in ms. null: no such packets. Absent: not read by older versions.',
        ),
      ),
    ),
    maySendMs: s.orNull(
      s.number(
        "When the client could send its first request, in ms after the connection's first packet: after all of the server's handshake messages, or at an earlier first request. null: not seen.",
      ),
    ),
    completeMs: s.orNull(
      s.number('When the client had sent and received the last message of the handshake.'),
    ),
    confirmedMs: s.orNull(
      s.number(
        'When the handshake was confirmed for the client: HANDSHAKE_DONE, or an acknowledgement.',
      ),
    ),
    roundTripMs: s.orNull(
      s.object(
        {
          least: s.number('Minimum: the path itself.'),
          median: s.number('Including delayed acknowledgements.'),
          p95: s.number('95th percentile.'),
          samples: s.count('Number of acknowledgements measured.'),
          clientLeast: s.orNull(
            s.number(
              "The minimum's part between capture point and client; almost 0 if the client captured.",
            ),
          ),
        },
        'Time from a packet to its acknowledgement, summed over both sides of the capture point, in ms. null: one side acknowledged nothing.',
      ),
    ),
    lostResponses: s.optional(
      s.list(
        s.count('From 1, in the order of the requests on the connection.'),
        'Responses with bytes in lost packets, where they could be decrypted; over TCP also those in the same TLS record. Absent: not read by older versions.',
      ),
    ),
    moves: s.optional(
      s.list(
        migrationSchema,
        "Changes of a QUIC client's port or address. Absent: not QUIC, or not read by older versions.",
      ),
    ),
    goodputKbps: s.orNull(
      s.number(
        'Rate of HTTP bodies to the client, from the first request to the last byte of a body.',
      ),
    ),
    toServer: directionSchema('What the client sent.'),
    toClient: directionSchema('What the server sent.'),
    beforeRequest: layersSchema('Bytes of both directions before the packet of the first request.'),
    afterRequest: layersSchema('Bytes of both directions from that packet on.'),
    closes: s.list(closeSchema, 'Messages that ended it; empty: none.'),
  },
  'A connection, read from its packets.',
);

export type WireConnection = s.Static<typeof wireConnectionSchema>;
export type WireDirection = WireConnection['toServer'];
export type WireClose = WireConnection['closes'][number];
export type LayerBytes = Record<Layer, number>;

const captureFields = {
  packets: s.count('In the file.'),
  bytes: s.count('Of their frames on the wire.'),
  earlierPackets: s.count('Packets from before the attempt, of connections that it reuses.'),
  cutPackets: s.count('Truncated packets.'),
  repeatedPackets: s.optional(
    s.count(
      'Duplicates, captured on several interfaces or at both ends; they count once. Absent: no duplicates, or not read by older versions.',
    ),
  ),
  otherPackets: s.count('Packets other than TCP and UDP, and fragments.'),
  connections: s.list(wireConnectionSchema, 'In the order of their first packets.'),
  complaints: s.list(s.text('As a sentence.'), 'Problems of the file.'),
};

const captureSchema = s.object(captureFields, 'Content of a capture.');

/** Content of a capture of any program. */
export type CaptureRecord = s.Static<typeof captureSchema>;

/** Content of an attempt's capture: one line of packets.jsonl. */
export const attemptPacketsSchema = s.object(
  {
    ...formatFields,
    id: s.fileName('Of the attempt.'),
    file: s.filePath("The capture, relative to the run's folder."),
    page: s.optional(
      s.filePath('Page with diagrams of this capture and those of other arms. Absent: none.'),
    ),
    qlogs: s.optional(
      s.list(
        s.filePath('A file of qlog/.'),
        'One for each QUIC connection. Absent: not requested.',
      ),
    ),
    ...captureFields,
  },
  "Content of an attempt's capture, written after the run.",
);

export type AttemptPackets = s.Static<typeof attemptPacketsSchema>;
