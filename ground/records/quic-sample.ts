import { count, list, name, number, object, orNull, type Static } from './schema.ts';

const quicSampleSchema = object(
  {
    atMs: number("When, by the kernel's CLOCK_MONOTONIC in ms."),
    cwndBytes: count('The congestion window.'),
    rttMs: number('The smoothed round-trip time.'),
    rttVarMs: number('Its mean deviation.'),
    minRttMs: orNull(number('The least; null: not measured yet.')),
    sentPackets: count('Packets since the connection began, with what was sent again.'),
    sentBytes: count('Their bytes, without the headers of UDP and IP.'),
    lostPackets: count('Of these those that were taken for lost.'),
    receivedPackets: count('Packets that came since the connection began.'),
    receivedBytes: count('Their bytes, without the headers of UDP and IP.'),
  },
  'A QUIC connection at one moment, as the program of one end knew it.',
);

export type QuicSample = Static<typeof quicSampleSchema>;

const windowBytes = (of: string) =>
  orNull(count(`How much may be sent at first ${of}; null: the handshake did not come so far.`));

export const quicConnectionSchema = object(
  {
    client: name('ip:port of the client.'),
    server: name('ip:port of the server.'),
    clientStreamWindowBytes: windowBytes('to the client in answer to a request'),
    clientWindowBytes: windowBytes('to the client over all streams'),
    serverStreamWindowBytes: windowBytes('to the server as the body of a request'),
    serverWindowBytes: windowBytes('to the server over all streams'),
    samples: list(quicSampleSchema, 'In the order of their times, each other than the one before.'),
  },
  'A QUIC connection as one end knew it. The windows are those that client and server told in the handshake (RFC 9000, 18.2); they are enlarged later.',
);

export type QuicConnection = Static<typeof quicConnectionSchema>;
