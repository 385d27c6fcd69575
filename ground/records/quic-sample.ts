import * as s from './schema.ts';

const quicSampleSchema = s.object(
  {
    atMs: s.number("Time by the kernel's CLOCK_MONOTONIC, in ms."),
    cwndBytes: s.count('The congestion window.'),
    rttMs: s.number('The smoothed round-trip time.'),
    rttVarMs: s.number('Its mean deviation.'),
    minRttMs: s.orNull(s.number('Minimum; null: not measured yet.')),
    sentPackets: s.count('Packets sent since the connection began, including retransmissions.'),
    sentBytes: s.count('Their bytes, without the headers of UDP and IP.'),
    lostPackets: s.count('Sent packets that were declared lost.'),
    receivedPackets: s.count('Packets received since the connection began.'),
    receivedBytes: s.count('Their bytes, without the headers of UDP and IP.'),
  },
  'State of a QUIC connection at one end.',
);

export type QuicSample = s.Static<typeof quicSampleSchema>;

const windowBytes = (of: string) =>
  s.orNull(s.count(`Initial limit of data sent ${of}; null: the handshake did not complete.`));

export const quicConnectionSchema = s.object(
  {
    client: s.name('ip:port of the client.'),
    server: s.name('ip:port of the server.'),
    clientStreamWindowBytes: windowBytes('to the client in response to a request'),
    clientWindowBytes: windowBytes('to the client over all streams'),
    serverStreamWindowBytes: windowBytes('to the server as the body of a request'),
    serverWindowBytes: windowBytes('to the server over all streams'),
    samples: s.list(quicSampleSchema, 'By time; each differs from the one before.'),
  },
  'A QUIC connection at one end. The windows are the initial transport parameters of the handshake (RFC 9000, 18.2), which grow later.',
);

export type QuicConnection = s.Static<typeof quicConnectionSchema>;
