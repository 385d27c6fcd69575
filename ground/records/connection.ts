import { clientTransportsSchema } from './client-transports.ts';
import * as s from './schema.ts';

const connectionSchema = s.object(
  {
    host: s.orNull(
      s.text('Server name from the ClientHello (SNI); null: no name, or ClientHello not seen.'),
    ),
    address: s.text('ip:port of the server.'),
    clientPort: s.count("The client's port.", { minimum: 0, maximum: 65_535 }),
    transport: s.oneOf(['quic', 'tcp'], 'Transport protocol.'),
    offered: s.oneOf(
      ['full', 'resumption', 'early-data'],
      "The client's offer: a full handshake, a ticket, or a ticket with early data (0-RTT).",
    ),
    clientHelloMs: s.optional(
      s.orNull(
        s.anyNumber(
          "When the ClientHello left, in ms since the first packet of the attempt's first connection; null: not seen. Absent: before format 5.12.",
        ),
      ),
    ),
    serverHelloMs: s.optional(
      s.orNull(s.anyNumber('When the ServerHello arrived at the client, likewise.')),
    ),
    tlsVersion: s.orNull(
      s.text('TLS 1.3, TLS 1.2; QUIC has TLS 1.3; null: the server did not answer.'),
    ),
    quicVersion: s.optional(
      s.orNull(
        s.text(
          'QUIC version: 1, 2; null: the server did not answer. Absent: TCP, or before format 5.4.',
        ),
      ),
    ),
    cipher: s.orNull(s.text('Name as in DevTools; null: the server did not answer.')),
    handshake: s.orNull(
      s.oneOf(
        ['full', 'resumed'],
        "The server's choice. full: it sent certificates; resumed: it accepted the ticket; null: it did not answer.",
      ),
    ),
    earlyData: s.oneOf(
      ['none', 'accepted', 'rejected', 'unknown'],
      'Result of early data; unknown: no keys to decrypt it.',
    ),
  },
  'A connection of the client, from its handshake on the path.',
);

export type ConnectionRecord = s.Static<typeof connectionSchema>;

/** The connections of one attempt. */
export const connectionsSchema = s.object(
  {
    opened: s.list(
      connectionSchema,
      'Connections that began during the attempt, in the order of their first packets.',
    ),
    whole: s.flag(
      'Whether no packet was missed and every hello was readable; if not, there may be more connections.',
    ),
    client: s.optional(clientTransportsSchema),
  },
  "The client's connections, from their handshakes on the path.",
);

export type ObservedConnections = s.Static<typeof connectionsSchema>;
