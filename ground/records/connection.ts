import * as s from './schema.ts';

const connectionSchema = s.object(
  {
    host: s.orNull(
      s.text('The name that the client asked for (SNI); null: none, or its hello was not seen.'),
    ),
    address: s.text('ip:port of the server.'),
    clientPort: s.count("The client's port.", { minimum: 0, maximum: 65_535 }),
    transport: s.oneOf(['quic', 'tcp'], 'What carried it.'),
    offered: s.oneOf(
      ['full', 'resumption', 'early-data'],
      'What the client offered: a full handshake, a ticket, or a ticket and requests sent along (0-RTT).',
    ),
    clientHelloMs: s.optional(
      s.orNull(
        s.anyNumber(
          "When the client's hello left, in ms since the first packet of the first of these connections; null: it was not seen. Absent: a record before format 5.12.",
        ),
      ),
    ),
    serverHelloMs: s.optional(
      s.orNull(s.anyNumber("When the server's hello arrived at the client, in the same way.")),
    ),
    tlsVersion: s.orNull(
      s.text(
        "TLS 1.3, TLS 1.2; for QUIC too, whose handshake is TLS 1.3's; null: the server did not answer.",
      ),
    ),
    quicVersion: s.optional(
      s.orNull(
        s.text(
          'The version of QUIC: 1, 2; null: the server did not answer. Absent: TCP, or a record before format 5.4.',
        ),
      ),
    ),
    cipher: s.orNull(s.text('In the words of DevTools; null: the server did not answer.')),
    handshake: s.orNull(
      s.oneOf(
        ['full', 'resumed'],
        'What the server chose. full: it sent certificates; resumed: it took the ticket; null: it did not answer.',
      ),
    ),
    earlyData: s.oneOf(
      ['none', 'accepted', 'rejected', 'unknown'],
      'What became of requests sent along; unknown: no keys to find out.',
    ),
  },
  'A connection of the client, as its handshake was seen on the path.',
);

export type ConnectionRecord = s.Static<typeof connectionSchema>;

/** The connections of one attempt. */
export const connectionsSchema = s.object(
  {
    opened: s.list(
      connectionSchema,
      'Those whose set-up began in the attempt, in the order of their first packets.',
    ),
    whole: s.flag(
      'Whether no packet was missed and every hello could be read; if not, there may have been more connections.',
    ),
  },
  "The client's connections, as their handshakes were seen on the path.",
);

export type ObservedConnections = s.Static<typeof connectionsSchema>;
