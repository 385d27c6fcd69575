import { connectionTransportSchema } from './connection-transport.ts';
import * as s from './schema.ts';

export const RESUMPTIONS = ['none', 'ticket', 'early-data'] as const;

/** What a connection takes over from an earlier one. */
export type Resumption = (typeof RESUMPTIONS)[number];

export const LAYERS = ['client', 'dns', 'udp', 'tcp', 'tls', 'quic', 'http'] as const;

const failureSchema = s.object(
  {
    layer: s.oneOf(
      LAYERS,
      'Where it failed. client: the program that asks cannot do it; udp: no answer at all; quic: what QUIC says of itself; tls: alerts, in QUIC too, and certificates.',
    ),
    code: s.text(
      'In one word, as the layer has it: ENOTFOUND, ECONNREFUSED, timeout, protocol_version, certificate_expired, CONNECTION_REFUSED ...',
    ),
    reason: s.text('The same as a sentence, with what was expected and got.'),
  },
  'Why there was no connection, or no answer.',
);

/** Why there was no connection, or no answer over it. */
export type FailureReason = s.Static<typeof failureSchema>;

const factsSchema = s.object(
  {
    tlsVersion: s.orNull(
      s.text('TLS 1.3, TLS 1.2; null: none was agreed on, or the client does not tell.'),
    ),
    cipher: s.orNull(s.text('The cipher suite by its name of the IANA; null: likewise.')),
    group: s.orNull(s.text('The group of the key exchange, for example X25519; null: likewise.')),
    alpn: s.orNull(s.text('The protocol agreed on: h3, h2, http/1.1; null: none.')),
    quicVersion: s.orNull(
      s.text('1, 2, or hexadecimal digits; null: not QUIC, or the client does not tell.'),
    ),
    retry: s.orNull(
      s.flag(
        'Whether the server sent a Retry packet; null: not QUIC, or the client does not tell.',
      ),
    ),
    resumed: s.orNull(
      s.flag(
        'Whether the server took the ticket; null: none was offered, or the client does not tell.',
      ),
    ),
    earlyData: s.orNull(
      s.oneOf(['accepted', 'rejected'], 'What became of data sent along; null: none was sent.'),
    ),
    bytesSent: s.orNull(s.number('By the client, as it counts them; null: it does not.')),
    bytesReceived: s.orNull(s.number('By the client, as it counts them; null: it does not.')),
    certificateChainBytes: s.orNull(
      s.number(
        'Of all certificates that were sent, DER; null: none were, or the client does not tell.',
      ),
    ),
    rttMs: s.orNull(
      s.number("The client's own least estimate of the round-trip time; null: it has none."),
    ),
    status: s.orNull(s.count('HTTP status of the answer; null: there was none.')),
    bodyBytes: s.orNull(s.number('Bytes of the body of the answer; null: there was none.')),
    altSvc: s.orNull(s.text('The Alt-Svc header of the answer; null: it had none.')),
  },
  'What the client tells of a connection.',
);

/** What the client tells of a connection. */
export type ConnectionFacts = s.Static<typeof factsSchema>;

/** Of a client that tells nothing. */
export const NO_FACTS: ConnectionFacts = {
  tlsVersion: null,
  cipher: null,
  group: null,
  alpn: null,
  quicVersion: null,
  retry: null,
  resumed: null,
  earlyData: null,
  bytesSent: null,
  bytesReceived: null,
  certificateChainBytes: null,
  rttMs: null,
  status: null,
  bodyBytes: null,
  altSvc: null,
};

/** What only connections have. */
export const connectionDetailsSchema = s.object(
  {
    via: connectionTransportSchema,
    host: s.text('The name that was asked for.'),
    address: s.orNull(
      s.text('ip:port of the server, [ip]:port with IPv6; null: the name has no such address.'),
    ),
    lookupMs: s.orNull(
      s.number('How long the look-up of the name took, once for the block; null: there was none.'),
    ),
    client: s.name('The client: a folder of clients/.'),
    resumption: s.oneOf(
      RESUMPTIONS,
      'What the client was to take over from an earlier connection.',
    ),
    facts: s.orNull(factsSchema, 'What the client tells; null: it never began.'),
    error: s.orNull(failureSchema, 'Why there was no connection, or no answer; null: there was.'),
  },
  'What only connections have.',
);

export type ConnectDetails = s.Static<typeof connectionDetailsSchema>;
