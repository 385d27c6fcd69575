import { formatFields } from './format.ts';
import * as s from './schema.ts';

/** Where the bytes of packets can have gone: every byte is one of them. */
export const LAYERS = {
  ethernet: 'headers of Ethernet, or of whatever precedes the IP packet',
  ip: 'IP headers',
  transport: 'TCP or UDP headers',
  quic: 'headers of QUIC packets, the tags that authenticate them, and the heads of frames',
  tls: 'headers of TLS records, and the tags that authenticate them; alerts and ChangeCipherSpec',
  handshake: 'TLS handshake messages: hellos, certificates, tickets',
  http: 'HTTP heads and frames: everything that is no body',
  payload: 'HTTP bodies',
  padding: 'padding',
  acknowledgements: 'whole packets that only acknowledge, and the acknowledgements within others',
  retransmissions: 'data that was sent before',
  unread: 'encrypted, and no key to open it; of another protocol; or not in the file',
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
      packets: s.count('On the wire, lost ones included.'),
      bytes: s.count('Of whole frames.'),
      lostPackets: s.count(
        'Those that the path lost or dropped, as far as the capture marks them.',
      ),
      ackPackets: s.count('Those that only acknowledge.'),
      retransmittedPackets: s.count('Those with data that was sent before.'),
      retransmittedBytes: s.count('Of data that was sent before.'),
      handshakeBytes: s.count('Of TLS handshake messages, the first time that they were sent.'),
      paddingBytes: s.count('Of padding.'),
      payloadBytes: s.count('Of HTTP bodies.'),
    },
    description,
  );

const closeSchema = s.object(
  {
    by: s.oneOf(['client', 'server'], 'Who said it.'),
    layer: s.oneOf(['tls', 'quic', 'application', 'tcp'], 'Whose word it is.'),
    code: s.count('As it was sent.'),
    name: s.text('The same in the words of its standard.'),
    isError: s.flag('Whether it means that something went wrong; an orderly close does not.'),
  },
  'How a connection ended: TLS alerts, CONNECTION_CLOSE of QUIC, GOAWAY of HTTP/2, TCP resets; what was said again is left out.',
);

const migrationSchema = s.object(
  {
    client: s.name('ip:port from which it sent from then on.'),
    beganMs: s.number(
      "When its first packet from there was captured, after the connection's first.",
    ),
    challengedMs: s.orNull(
      s.number(
        'When the server asked it there whether it gets packets (PATH_CHALLENGE); null: not seen.',
      ),
    ),
    answeredMs: s.orNull(s.number('When it said so (PATH_RESPONSE); null: not seen.')),
  },
  'A change of the port or the address of the client of a connection by QUIC, in ms.',
);

/** A change of the client's port or address, and how the server made sure of it. */
export type ClientMigration = s.Static<typeof migrationSchema>;

const wireConnectionSchema = s.object(
  {
    transport: s.oneOf(
      ['tcp', 'quic', 'udp'],
      'What carried it; udp: a protocol that is not known.',
    ),
    client: s.name('ip:port of who began it.'),
    server: s.name('ip:port of the other end.'),
    host: s.orNull(s.text('The name that the client asked for (SNI); null: none was seen.')),
    protocol: s.orNull(s.text('What both agreed to speak (ALPN); null: not seen.')),
    tlsVersion: s.orNull(s.text('TLS 1.3, TLS 1.2; null: not seen.')),
    cipher: s.orNull(s.text('The cipher suite; null: not seen.')),
    group: s.orNull(s.text('The group of the key exchange; null: not seen.')),
    opened: s.oneOf(
      ['all', 'part', 'none'],
      'Whether what is encrypted could be read; none: there were no keys, or nothing was encrypted.',
    ),
    requests: s.count('As far as they could be read.'),
    beganMs: s.number(
      'When its first packet was captured, in ms after the first one of the attempt.',
    ),
    clientHelloMs: s.optional(
      s.orNull(
        s.number(
          "When all of the client's first handshake message had left, in ms after the connection's first packet; what it did between TCP's handshake and that of TLS lies before it. null: not seen. Absent: not told by the version that read the capture.",
        ),
      ),
    ),
    handshakePackets: s.optional(
      s.orNull(
        s.object(
          {
            firstMs: s.number("When the first was captured, after the connection's first packet."),
            lastMs: s.number('When the last was.'),
          },
          'Packets of QUIC of the type Handshake, in ms: those between Initial and 1-RTT. null: there were none. Absent: not told by the version that read the capture.',
        ),
      ),
    ),
    maySendMs: s.orNull(
      s.number(
        "When the client could send its first request, in ms after the connection's first packet: with the server's last handshake message and all before it, or with the first request where that came before. null: not seen.",
      ),
    ),
    completeMs: s.orNull(
      s.number('When the client had sent and received the last message of the handshake.'),
    ),
    confirmedMs: s.orNull(
      s.number(
        'When the client learnt that the server had it too: HANDSHAKE_DONE, or an acknowledgement.',
      ),
    ),
    roundTripMs: s.orNull(
      s.object(
        {
          least: s.number('The least: the path itself.'),
          median: s.number('Also of what waited before it was acknowledged.'),
          p95: s.number('So long or less took 95 of 100.'),
          samples: s.count('Acknowledgements that it was measured by.'),
          clientLeast: s.orNull(
            s.number(
              'Of the least one the part between the place of the capture and the client: next to nothing where the client captured.',
            ),
          ),
        },
        'From a packet to its acknowledgement, on both sides of the place where it was captured, in ms. null: a side acknowledged nothing.',
      ),
    ),
    lostResponses: s.optional(
      s.list(
        s.count('From 1, in the order of the requests on the connection.'),
        'Responses that had bytes in packets that the path lost, as far as they could be read; by TCP also those in the same TLS record. Absent: not told by the version that read the capture.',
      ),
    ),
    moves: s.optional(
      s.list(
        migrationSchema,
        'Changes of the port or address of its client, by QUIC. Absent: not QUIC, or not told by the version that read the capture.',
      ),
    ),
    goodputKbps: s.orNull(
      s.number('HTTP bodies that the client got, from the first request to the last byte of them.'),
    ),
    toServer: directionSchema('What the client sent.'),
    toClient: directionSchema('What the server sent.'),
    beforeRequest: layersSchema('Bytes of both directions before the packet of the first request.'),
    afterRequest: layersSchema('Bytes of both directions from then on.'),
    closes: s.list(closeSchema, 'How it ended; empty: without a word.'),
  },
  'A connection as its packets tell.',
);

/** A connection as its packets tell. */
export type WireConnection = s.Static<typeof wireConnectionSchema>;
export type WireDirection = WireConnection['toServer'];
export type WireClose = WireConnection['closes'][number];
export type LayerBytes = Record<Layer, number>;

const captureFields = {
  packets: s.count('In the file.'),
  bytes: s.count('Of their frames on the wire.'),
  earlierPackets: s.count('Those from before the attempt, of connections that it goes on with.'),
  cutPackets: s.count('Those of which the file has only the beginning.'),
  repeatedPackets: s.optional(
    s.count(
      'Those that the file has a second time, as it passed several interfaces or both ends; they count once. Absent: none, or the version that read the capture did not look.',
    ),
  ),
  otherPackets: s.count('Those that are no TCP or UDP, and fragments.'),
  connections: s.list(wireConnectionSchema, 'In the order of their first packets.'),
  complaints: s.list(s.text('As a sentence.'), 'What was wrong with the file.'),
};

const captureSchema = s.object(captureFields, 'What a capture tells.');

/** What a capture tells, whoever made it. */
export type CaptureRecord = s.Static<typeof captureSchema>;

/** What the capture of an attempt tells: one line of packets.jsonl. */
export const attemptPacketsSchema = s.object(
  {
    ...formatFields,
    id: s.fileName('Of the attempt.'),
    file: s.filePath("The capture, relative to the run's folder."),
    page: s.optional(
      s.filePath('The page that draws it, beside captures of other arms. Absent: none.'),
    ),
    qlogs: s.optional(
      s.list(
        s.filePath('A file of qlog/.'),
        'One for each connection of QUIC. Absent: not asked for.',
      ),
    ),
    ...captureFields,
  },
  'What the capture of an attempt tells, written when the run has ended.',
);

export type AttemptPackets = s.Static<typeof attemptPacketsSchema>;
