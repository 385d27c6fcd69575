import { count, flag, name, number, object, oneOf, orNull, type Static, text } from './schema.ts';
import { viaSchema } from './via.ts';

export const RESUMPTIONS = ['none', 'ticket', 'early-data'] as const;

/** What a connection takes over from an earlier one. */
export type Resumption = (typeof RESUMPTIONS)[number];

export const LAYERS = ['client', 'dns', 'udp', 'tcp', 'tls', 'quic', 'http'] as const;

const failureSchema = object(
  {
    layer: oneOf(
      LAYERS,
      'Where it failed. client: the program that asks cannot do it; udp: no answer at all; quic: what QUIC says of itself; tls: alerts, in QUIC too, and certificates.',
    ),
    code: text(
      'In one word, as the layer has it: ENOTFOUND, ECONNREFUSED, timeout, protocol_version, certificate_expired, CONNECTION_REFUSED ...',
    ),
    reason: text('The same as a sentence, with what was expected and got.'),
  },
  'Why there was no connection, or no answer.',
);

/** Why there was no connection, or no answer over it. */
export type FailureReason = Static<typeof failureSchema>;

const factsSchema = object(
  {
    tlsVersion: orNull(
      text('TLS 1.3, TLS 1.2; null: none was agreed on, or the client does not tell.'),
    ),
    cipher: orNull(text('The cipher suite by its name of the IANA; null: likewise.')),
    group: orNull(text('The group of the key exchange, for example X25519; null: likewise.')),
    alpn: orNull(text('The protocol agreed on: h3, h2, http/1.1; null: none.')),
    quicVersion: orNull(
      text('1, 2, or hexadecimal digits; null: not QUIC, or the client does not tell.'),
    ),
    retry: orNull(
      flag('Whether the server sent a Retry packet; null: not QUIC, or the client does not tell.'),
    ),
    resumed: orNull(
      flag(
        'Whether the server took the ticket; null: none was offered, or the client does not tell.',
      ),
    ),
    earlyData: orNull(
      oneOf(['accepted', 'rejected'], 'What became of data sent along; null: none was sent.'),
    ),
    bytesSent: orNull(number('By the client, as it counts them; null: it does not.')),
    bytesReceived: orNull(number('By the client, as it counts them; null: it does not.')),
    certificateChainBytes: orNull(
      number(
        'Of all certificates that were sent, DER; null: none were, or the client does not tell.',
      ),
    ),
    rttMs: orNull(
      number("The client's own least estimate of the round-trip time; null: it has none."),
    ),
    status: orNull(count('HTTP status of the answer; null: there was none.')),
    bodyBytes: orNull(number('Bytes of the body of the answer; null: there was none.')),
    altSvc: orNull(text('The Alt-Svc header of the answer; null: it had none.')),
  },
  'What the client tells of a connection.',
);

/** What the client tells of a connection. */
export type ConnectionFacts = Static<typeof factsSchema>;

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
export const connectionDetailsSchema = object(
  {
    via: viaSchema,
    host: text('The name that was asked for.'),
    address: orNull(
      text('ip:port of the server, [ip]:port with IPv6; null: the name has no such address.'),
    ),
    lookupMs: orNull(
      number('How long the look-up of the name took, once for the block; null: there was none.'),
    ),
    client: name('The client: a folder of clients/.'),
    resumption: oneOf(RESUMPTIONS, 'What the client was to take over from an earlier connection.'),
    facts: orNull(factsSchema, 'What the client tells; null: it never began.'),
    error: orNull(failureSchema, 'Why there was no connection, or no answer; null: there was.'),
  },
  'What only connections have.',
);

export type ConnectDetails = Static<typeof connectionDetailsSchema>;
