import { autonomousSystemField } from './autonomous-system.ts';
import { connectionTransportSchema } from './connection-transport.ts';
import * as s from './schema.ts';

export const RESUMPTIONS = ['none', 'ticket', 'early-data'] as const;

/** Session state that a connection reuses from an earlier one. */
export type Resumption = (typeof RESUMPTIONS)[number];

export const LAYERS = ['client', 'dns', 'udp', 'tcp', 'tls', 'quic', 'http'] as const;

const failureSchema = s.object(
  {
    layer: s.oneOf(
      LAYERS,
      'Layer that failed. client: the client program does not support it; udp: no response at all; quic: errors of QUIC itself; tls: certificates, and alerts, also in QUIC.',
    ),
    code: s.text(
      "The layer's error code: ENOTFOUND, ECONNREFUSED, timeout, protocol_version, certificate_expired, CONNECTION_REFUSED ...",
    ),
    reason: s.text('The error as a sentence, with expected and actual values.'),
  },
  'Error of a failed connection or request.',
);

export type FailureReason = s.Static<typeof failureSchema>;

const factsSchema = s.object(
  {
    tlsVersion: s.orNull(
      s.text('TLS 1.3, TLS 1.2; null: not negotiated, or not reported by the client.'),
    ),
    cipher: s.orNull(s.text('IANA name of the cipher suite; null: likewise.')),
    group: s.orNull(s.text('The group of the key exchange, for example X25519; null: likewise.')),
    alpn: s.orNull(s.text('Negotiated protocol: h3, h2, http/1.1; null: none.')),
    quicVersion: s.orNull(s.text('1, 2, or hexadecimal digits; null: not QUIC, or not reported.')),
    retry: s.orNull(
      s.flag('Whether the server sent a Retry packet; null: not QUIC, or not reported.'),
    ),
    resumed: s.orNull(
      s.flag(
        'Whether the server accepted the ticket; null: no ticket was offered, or not reported.',
      ),
    ),
    earlyData: s.orNull(s.oneOf(['accepted', 'rejected'], 'Result of early data; null: not sent.')),
    bytesSent: s.orNull(s.number("The client's own count; null: not counted.")),
    bytesReceived: s.orNull(s.number("The client's own count; null: not counted.")),
    certificateChainBytes: s.orNull(
      s.number('Of all certificates sent, DER; null: no certificates, or not reported.'),
    ),
    rttMs: s.orNull(s.number("The client's own minimum round-trip time; null: not measured.")),
    status: s.orNull(s.count('HTTP status of the response; null: no response.')),
    bodyBytes: s.orNull(s.number('Bytes of the response body; null: no response.')),
    altSvc: s.orNull(s.text('Alt-Svc header of the response; null: no such header.')),
  },
  "The client's report of a connection.",
);

export type ConnectionFacts = s.Static<typeof factsSchema>;

/** Facts of a client that reports nothing. */
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

/** `details` of an attempt at a connection. */
export const connectionDetailsSchema = s.object(
  {
    transport: connectionTransportSchema,
    host: s.text('Requested host name.'),
    address: s.orNull(
      s.text(
        'ip:port of the server, [ip]:port with IPv6; null: the name has no address of the family.',
      ),
    ),
    autonomousSystem: autonomousSystemField,
    lookupMs: s.orNull(
      s.number('Duration of the name look-up, once for the block; null: no look-up.'),
    ),
    client: s.name('The client: a folder of clients/.'),
    resumption: s.oneOf(
      RESUMPTIONS,
      'Session state that the client was to reuse from an earlier connection.',
    ),
    facts: s.orNull(factsSchema, "The client's report; null: it never began."),
    error: s.orNull(failureSchema, 'Error of a failed connection or request; null: no error.'),
  },
  'Details of an attempt at a connection.',
);

export type ConnectDetails = s.Static<typeof connectionDetailsSchema>;
