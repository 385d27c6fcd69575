import { autonomousSystemField } from './autonomous-system.ts';
import { LAYERS } from './connection-attempt.ts';
import { formatFields } from './format.ts';
import * as s from './schema.ts';

export const QUESTIONS = [
  'ipv4',
  'ipv6',
  'tls',
  'tls1.3',
  'tls1.2',
  'tls1.1',
  'tls1.0',
  'alpn h2',
  'alpn http/1.1',
  'post-quantum',
  'http',
  'https record',
  'quic versions',
  'first flight',
  'h3',
] as const;

/** A test of a host, such as a handshake or a request. */
export type Question = (typeof QUESTIONS)[number];

/** Meaning of false and null for all yes/no questions. */
const UNLESS =
  'false: it failed, and `failures` has the reason; null: not tried, or no response from the host at all.';

const addressSchema = s.object(
  {
    address: s.name('IPv4 or IPv6, without brackets.'),
    family: s.oneOf(['ipv4', 'ipv6'], 'Address family.'),
    autonomousSystem: autonomousSystemField,
    tcp: s.flag('Whether it accepted a TCP connection.'),
    udp: s.flag('Whether it answered a QUIC datagram with a reserved version.'),
  },
  'A tested address of the host: the first of its family.',
);

export type ProbedAddress = s.Static<typeof addressSchema>;

const httpsRecordSchema = s.object(
  {
    priority: s.count('Lower values are preferred; 0: an alias of target (AliasMode).'),
    target: s.text('Name of the serving host; empty: the owner of the record.'),
    alpn: s.list(s.text('A protocol, such as h3.'), 'Protocols in the record.'),
    noDefaultAlpn: s.flag('Whether http/1.1 is not supported by default.'),
    port: s.orNull(s.count('Port in the record; null: none.')),
    ipv4Hints: s.list(s.text('An address.'), 'IPv4 addresses in the record.'),
    ipv6Hints: s.list(s.text('An address.'), 'IPv6 addresses in the record.'),
    encryptedHello: s.flag('Whether it has a key for Encrypted ClientHello.'),
  },
  'One HTTPS record (RFC 9460).',
);

export type HttpsRecord = s.Static<typeof httpsRecordSchema>;

const failureSchema = s.object(
  {
    question: s.oneOf(QUESTIONS, 'The question.'),
    layer: s.oneOf(LAYERS, 'Layer that failed, as in connections.jsonl.'),
    code: s.text("The layer's error code; not-tried: nothing was sent."),
    reason: s.text('The error as a sentence.'),
  },
  'Why a question has no answer, or the answer no.',
);

export type ProbeFailure = s.Static<typeof failureSchema>;

export const probeSchema = s.object(
  {
    ...formatFields,
    host: s.name('Name or address of the host.'),
    port: s.count('Of TCP and of UDP.'),
    startedAt: s.moment('When the tests began.'),
    tookMs: s.number('Duration of all tests.'),
    answered: s.flag('Whether the host responded at all, by UDP or TCP.'),
    addresses: s.list(addressSchema, 'Its addresses, at most one of each family.'),
    tls13: s.orNull(s.flag(`Whether a TLS 1.3 handshake succeeded. ${UNLESS}`)),
    tls12: s.orNull(s.flag(`Whether a TLS 1.2 handshake succeeded. ${UNLESS}`)),
    tls11: s.orNull(s.flag(`Whether a TLS 1.1 handshake succeeded. ${UNLESS}`)),
    tls10: s.orNull(s.flag(`Whether a TLS 1.0 handshake succeeded. ${UNLESS}`)),
    tlsVersion: s.orNull(
      s.text('Negotiated when 1.3 and 1.2 were offered: TLS 1.3, TLS 1.2; null: no handshake.'),
    ),
    tlsMs: s.optional(
      s.orNull(
        s.number(
          'From the request for that TCP connection until a request may leave, in ms; null: likewise. Absent: before format 6.1.',
        ),
      ),
    ),
    cipher: s.orNull(s.text('IANA name of the cipher of this handshake; null: likewise.')),
    group: s.orNull(s.text('Group of its key exchange; null: likewise, or no group.')),
    certificate: s.orNull(s.text("valid, or OpenSSL's error; null: likewise, or not checked.")),
    certificateChainBytes: s.orNull(
      s.count('Of the certificates sent, from the leaf up, DER; null: no handshake.'),
    ),
    sessionTickets: s.orNull(
      s.count('Number received until the response to the request; null: no handshake.'),
    ),
    alpnTogether: s.orNull(
      s.text(
        'Protocol selected when h2 and http/1.1 were offered; empty: none; null: no handshake.',
      ),
    ),
    alpnH2: s.orNull(s.flag(`Whether h2 was selected when it alone was offered. ${UNLESS}`)),
    alpnHttp11: s.orNull(
      s.flag(`Whether http/1.1 was selected when it alone was offered. ${UNLESS}`),
    ),
    postQuantum: s.orNull(
      s.flag(`Whether a handshake succeeded when X25519MLKEM768 alone was offered. ${UNLESS}`),
    ),
    status: s.orNull(s.count('HTTP status of the response to GET / over TLS; null: no response.')),
    altSvc: s.orNull(s.text('Alt-Svc header of that response; null: no header, or no response.')),
    httpsRecords: s.orNull(
      s.list(httpsRecordSchema, 'By priority.'),
      'HTTPS records by priority; null: no name server answered the query.',
    ),
    h3: s.orNull(s.flag(`Whether a QUIC version 1 handshake with h3 succeeded. ${UNLESS}`)),
    quicMs: s.optional(
      s.orNull(
        s.number(
          'From the request for that QUIC connection until a request may leave, in ms; null: no handshake, or not reported. Absent: before format 6.1.',
        ),
      ),
    ),
    quicVersions: s.orNull(
      s.list(s.text('1, 2, or hexadecimal digits.'), 'Versions.'),
      'QUIC versions offered in response to a reserved version; null: no response.',
    ),
    retry: s.orNull(
      s.flag(
        'Whether it answered the first datagram of a client with a Retry packet; null: no answer.',
      ),
    ),
    unvalidatedSentBytes: s.orNull(
      s.count('UDP payload sent to it before the client fell silent; null: no answer.'),
    ),
    unvalidatedReceivedBytes: s.orNull(
      s.count('UDP payload that it sent to the silent client; null: likewise.'),
    ),
    amplification: s.orNull(
      s.number('Received divided by sent bytes; RFC 9000 (8.1) allows 3; null: likewise.'),
    ),
    failures: s.list(failureSchema, 'Why questions have no answer, or the answer no.'),
  },
  'Protocols of a host: one line of probes.jsonl.',
);

/** One line of probes.jsonl. */
export type ProbeRecord = s.Static<typeof probeSchema>;
