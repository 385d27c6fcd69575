import * as s from './schema.ts';

const quicSampleSchema = s.object(
  {
    atMs: s.number("When, by the kernel's CLOCK_MONOTONIC in ms."),
    cwndBytes: s.count('The congestion window.'),
    rttMs: s.number('The smoothed round-trip time.'),
    rttVarMs: s.number('Its mean deviation.'),
    minRttMs: s.orNull(s.number('The least; null: not measured yet.')),
    sentPackets: s.count('Packets since the connection began, with what was sent again.'),
    sentBytes: s.count('Their bytes, without the headers of UDP and IP.'),
    lostPackets: s.count('Of these those that were taken for lost.'),
    receivedPackets: s.count('Packets that came since the connection began.'),
    receivedBytes: s.count('Their bytes, without the headers of UDP and IP.'),
  },
  'A QUIC connection at one moment, as the program of one end knew it.',
);

export type QuicSample = s.Static<typeof quicSampleSchema>;

const windowBytes = (of: string) =>
  s.orNull(
    s.count(`How much may be sent at first ${of}; null: the handshake did not come so far.`),
  );

export const quicConnectionSchema = s.object(
  {
    client: s.name('ip:port of the client.'),
    server: s.name('ip:port of the server.'),
    clientStreamWindowBytes: windowBytes('to the client in answer to a request'),
    clientWindowBytes: windowBytes('to the client over all streams'),
    serverStreamWindowBytes: windowBytes('to the server as the body of a request'),
    serverWindowBytes: windowBytes('to the server over all streams'),
    samples: s.list(
      quicSampleSchema,
      'In the order of their times, each other than the one before.',
    ),
  },
  'A QUIC connection as one end knew it. The windows are those that client and server told in the handshake (RFC 9000, 18.2); they are enlarged later.',
);

export type QuicConnection = s.Static<typeof quicConnectionSchema>;
