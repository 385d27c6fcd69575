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

/** What a host is asked, one by one. */
export type Question = (typeof QUESTIONS)[number];

/** How a question that has yes or no for an answer ends otherwise. */
const UNLESS =
  'false: it did not come about, and `failures` says why; null: not tried, or the host answered nothing at all.';

const addressSchema = s.object(
  {
    address: s.name('IPv4 or IPv6, without brackets.'),
    family: s.oneOf(['ipv4', 'ipv6'], 'Which of the two it is of.'),
    tcp: s.flag('Whether it took a connection by TCP.'),
    udp: s.flag('Whether it answered a datagram of QUIC with a version that nobody speaks.'),
  },
  'An address of the host that was tried: the first of its family.',
);

/** An address of a host that was tried. */
export type ProbedAddress = s.Static<typeof addressSchema>;

const httpsRecordSchema = s.object(
  {
    priority: s.count('The lower, the sooner it is to be used; 0: an alias of target (AliasMode).'),
    target: s.text('The name that serves; empty: the one that has the record.'),
    alpn: s.list(s.text('A protocol, such as h3.'), 'Protocols that it names.'),
    noDefaultAlpn: s.flag('Whether http/1.1 is not to be taken for granted.'),
    port: s.orNull(s.count('The port that it names; null: none.')),
    ipv4Hints: s.list(s.text('An address.'), 'IPv4 addresses that it names.'),
    ipv6Hints: s.list(s.text('An address.'), 'IPv6 addresses that it names.'),
    encryptedHello: s.flag('Whether it has a key for Encrypted ClientHello.'),
  },
  'One HTTPS record (RFC 9460).',
);

/** One HTTPS record. */
export type HttpsRecord = s.Static<typeof httpsRecordSchema>;

const failureSchema = s.object(
  {
    question: s.oneOf(QUESTIONS, 'What was asked.'),
    layer: s.oneOf(LAYERS, 'Where it failed, as in connections.jsonl.'),
    code: s.text('In one word, as the layer has it; not-tried: nothing was sent.'),
    reason: s.text('The same as a sentence.'),
  },
  'Why one question has no answer, or no for an answer.',
);

/** Why one question has no answer, or no for an answer. */
export type ProbeFailure = s.Static<typeof failureSchema>;

export const probeSchema = s.object(
  {
    ...formatFields,
    host: s.name('The host by its name or address.'),
    port: s.count('Of TCP and of UDP.'),
    startedAt: s.moment('When it was asked.'),
    tookMs: s.number('How long it took to ask everything.'),
    answered: s.flag('Whether the host answered anything: a datagram, or TCP.'),
    addresses: s.list(addressSchema, 'Its addresses, at most one of each family.'),
    tls13: s.orNull(s.flag(`Whether there was a handshake by TLS 1.3. ${UNLESS}`)),
    tls12: s.orNull(s.flag(`Whether there was one by TLS 1.2. ${UNLESS}`)),
    tls11: s.orNull(s.flag(`Whether there was one by TLS 1.1. ${UNLESS}`)),
    tls10: s.orNull(s.flag(`Whether there was one by TLS 1.0. ${UNLESS}`)),
    tlsVersion: s.orNull(
      s.text(
        'Agreed on where 1.3 and 1.2 were offered: TLS 1.3, TLS 1.2; null: there was no handshake.',
      ),
    ),
    cipher: s.orNull(s.text('Agreed on there, by its name of the IANA; null: likewise.')),
    group: s.orNull(s.text('Of the key exchange there; null: likewise, or it had none.')),
    certificate: s.orNull(
      s.text('valid, or what is wrong with it as OpenSSL has it; null: likewise, or not checked.'),
    ),
    certificateChainBytes: s.orNull(
      s.count('Of the certificates sent, from the leaf up, DER; null: there was no handshake.'),
    ),
    sessionTickets: s.orNull(
      s.count('That came until the answer to the request; null: there was no handshake.'),
    ),
    alpnTogether: s.orNull(
      s.text(
        'Of h2 and http/1.1 offered together, the one picked; empty: none; null: there was no handshake.',
      ),
    ),
    alpnH2: s.orNull(s.flag(`Whether h2 was picked when it alone was offered. ${UNLESS}`)),
    alpnHttp11: s.orNull(
      s.flag(`Whether http/1.1 was picked when it alone was offered. ${UNLESS}`),
    ),
    postQuantum: s.orNull(
      s.flag(`Whether there was a handshake where X25519MLKEM768 alone was offered. ${UNLESS}`),
    ),
    status: s.orNull(s.count('HTTP status of the answer to GET / over TLS; null: there was none.')),
    altSvc: s.orNull(s.text('Its Alt-Svc header; null: it had none, or there was no answer.')),
    httpsRecords: s.orNull(
      s.list(httpsRecordSchema, 'By priority.'),
      'Its HTTPS records, by priority; null: no name server said whether there are any.',
    ),
    h3: s.orNull(s.flag(`Whether there was a handshake by QUIC, version 1, with h3. ${UNLESS}`)),
    quicVersions: s.orNull(
      s.list(s.text('1, 2, or hexadecimal digits.'), 'Versions.'),
      'Versions of QUIC that it offers instead of one that nobody speaks; null: it did not say.',
    ),
    retry: s.orNull(
      s.flag(
        'Whether its first answer to the first datagram of a client was a Retry packet; null: none came.',
      ),
    ),
    unvalidatedSentBytes: s.orNull(
      s.count('Payload of UDP that was sent to it before silence; null: no answer came.'),
    ),
    unvalidatedReceivedBytes: s.orNull(
      s.count('Payload that it sent to a client which never answered; null: likewise.'),
    ),
    amplification: s.orNull(
      s.number('The one divided by the other, of which RFC 9000 (8.1) allows 3; null: likewise.'),
    ),
    failures: s.list(failureSchema, 'Why questions have no answer, or no for an answer.'),
  },
  'What a host speaks: one line of probes.jsonl.',
);

/** One line of probes.jsonl. */
export type ProbeRecord = s.Static<typeof probeSchema>;
