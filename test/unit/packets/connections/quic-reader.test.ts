import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HANDSHAKE, QUIC_FRAME, type QuicFrame } from '../../../../packets/dissection/packet.ts';
import { assertFields } from '../../assert-fields.ts';
import {
  ack,
  crypto,
  datagram,
  http3Frame,
  layersOf,
  quicPacket,
  readQuic,
  streamFrame,
  type TimedPacket,
} from '../made-packets.ts';

const LOST = { comments: ['lost on the path'] };
const HELLO = {
  type: HANDSHAKE.clientHello,
  serverName: 'www.example.org',
  parameters: { ack_delay_exponent: 3 },
};
const SERVER_HELLO = { type: HANDSHAKE.serverHello, version: 0x304, cipher: 4865, group: 4588 };
const FLIGHT = [
  { type: HANDSHAKE.encryptedExtensions, protocols: ['h3'], parameters: { ack_delay_exponent: 4 } },
  { type: HANDSHAKE.finished },
];
const FINISHED = { type: HANDSHAKE.finished };
const DONE = { type: QUIC_FRAME.handshakeDone, bytes: 1 };
const PING = { type: 1, bytes: 1 };
const padding = (bytes: number): QuicFrame => ({ type: QUIC_FRAME.padding, bytes });
const REQUEST = http3Frame(1, 80);
const RESPONSE = Buffer.concat([http3Frame(1, 40), http3Frame(0, 2000)]);

/** A handshake with round trips of 30 ms, as the client sees it. */
const OPENING: TimedPacket[] = [
  datagram(0, 'toServer', [
    quicPacket('initial', 0, [crypto(0, 300), padding(800)], { handshake: [HELLO] }),
  ]),
  datagram(30, 'toClient', [
    quicPacket('initial', 0, [ack(0), crypto(0, 90)], { handshake: [SERVER_HELLO] }),
    quicPacket('handshake', 0, [crypto(0, 700), padding(300)], { handshake: FLIGHT }),
  ]),
  datagram(31, 'toServer', [
    quicPacket('initial', 1, [ack(0), padding(1000)]),
    quicPacket('handshake', 0, [ack(0), crypto(0, 36)], { handshake: [FINISHED] }),
  ]),
];
const REQUEST_DATAGRAM = datagram(31.5, 'toServer', [
  quicPacket('short', 0, [streamFrame(0, 0, REQUEST)]),
]);
const CONFIRMING = datagram(61, 'toClient', [
  quicPacket('handshake', 1, [ack(0)]),
  quicPacket('short', 0, [DONE, crypto(0, 200)]),
]);
const ANSWERING: TimedPacket[] = [
  datagram(62, 'toClient', [
    quicPacket('short', 1, [ack(0), streamFrame(0, 0, RESPONSE.subarray(0, 1100))]),
  ]),
  datagram(63, 'toClient', [
    quicPacket('short', 2, [streamFrame(0, 1100, RESPONSE.subarray(1100))]),
  ]),
  datagram(63.2, 'toServer', [quicPacket('short', 1, [ack(2)])]),
];
const LOAD = [...OPENING, REQUEST_DATAGRAM, CONFIRMING, ...ANSWERING];

test('reads the instants of a handshake, and the agreed parameters', () => {
  const read = readQuic(LOAD);
  assert.deepEqual(
    [read.host, read.protocol, read.tlsVersion, read.cipher, read.group, read.opened],
    ['www.example.org', 'h3', 'TLS 1.3', 'TLS_AES_128_GCM_SHA256', 'X25519MLKEM768', 'all'],
  );
  assert.deepEqual([read.clientHelloMs, read.maySendMs], [0, 30]);
  assert.deepEqual([read.completeMs, read.confirmedMs], [31, 61]);
  assertFields(read, { handshakePackets: { firstMs: 30, lastMs: 61 }, requests: 1 });
});

test('counts each byte in one layer', () => {
  const read = readQuic(LOAD);
  // One of 11 QUIC packets only acknowledges; each of the rest has 20 bytes of header and a tag of
  // 16.
  assert.deepEqual(layersOf(read), {
    ethernet: 7 * 14,
    ip: 7 * 20,
    transport: 7 * 8,
    quic: 10 * 36 + 5 * 4 + 3 * 5 + 1,
    tls: 0,
    handshake: 300 + 90 + 700 + 36 + 200,
    http: 85 + 45 + 5,
    payload: 2000,
    padding: 800 + 300 + 1000,
    acknowledgements: 5 * 5 + 42 + 36 + 5,
    retransmissions: 0,
    unread: 0,
  });
  assertFields(read, { 'toServer.ackPackets': 1, goodputKbps: (2000 * 8) / 31.5 });
});

test("subtracts the peer's reported delay from round trips, but never below the minimum", () => {
  const trips = (delay: number) =>
    readQuic([
      ...OPENING,
      datagram(100, 'toServer', [quicPacket('short', 0, [PING])]),
      datagram(130, 'toClient', [quicPacket('short', 0, [ack(0)])]),
      datagram(200, 'toServer', [quicPacket('short', 1, [PING])]),
      datagram(250, 'toClient', [quicPacket('short', 1, [ack(1, delay)])]),
    ]).roundTripMs;
  // The server counts in 16 µs. The near side took 1 ms.
  assert.deepEqual(trips(0), {
    least: 31,
    median: 31,
    p95: 49,
    samples: 3,
    clientLeast: 1,
  });
  assert.ok(Math.abs((trips(625)?.p95 ?? 0) - 40) < 1e-9);
  assert.equal(trips(2000)?.least, 31);
});

test('takes no round trip from the acknowledgement of a packet that is not ack-eliciting', () => {
  const read = readQuic([
    datagram(0, 'toServer', [quicPacket('short', 0, [ack(0)])]),
    datagram(30, 'toClient', [quicPacket('short', 0, [ack(0)])]),
  ]);
  assert.equal(read.roundTripMs, null);
});

test('sends early data before the handshake has ended', () => {
  const early = datagram(2, 'toServer', [quicPacket('early', 1, [streamFrame(0, 0, REQUEST)])]);
  const read = readQuic([OPENING[0] as TimedPacket, early, ...OPENING.slice(1)]);
  assert.deepEqual([read.maySendMs, read.completeMs, read.requests], [2, 31, 1]);
  // Rejected, it is sent again.
  const again = readQuic([OPENING[0] as TimedPacket, early, ...OPENING.slice(1), REQUEST_DATAGRAM]);
  assert.deepEqual([again.requests, again.toServer.retransmittedBytes], [1, REQUEST.length]);
});

test('counts a last message that was lost once, when it is repeated', () => {
  const lost = OPENING.map(({ atMs, packet }, index) => ({
    atMs,
    packet: index === 2 ? { ...packet, ...LOST } : packet,
  }));
  const again = datagram(120, 'toServer', [quicPacket('handshake', 1, [crypto(0, 36)])]);
  const read = readQuic([...lost, again]);
  assert.deepEqual([read.maySendMs, read.completeMs], [30, 120]);
  const { lostPackets, retransmittedPackets, retransmittedBytes } = read.toServer;
  assert.deepEqual([lostPackets, retransmittedPackets, retransmittedBytes], [1, 1, 36]);
  assert.equal(layersOf(read).handshake, 300 + 90 + 700 + 36);
});

test('does not receive a last message while the first packet of its flight is missing', () => {
  const flight: TimedPacket[] = [
    datagram(30, 'toClient', [quicPacket('handshake', 0, [crypto(0, 600)])], LOST),
    datagram(30.1, 'toClient', [
      quicPacket('handshake', 1, [crypto(600, 100)], { handshake: FLIGHT }),
    ]),
  ];
  assert.equal(readQuic(flight).maySendMs, null);
  const again = datagram(90, 'toClient', [quicPacket('handshake', 2, [crypto(0, 600)])]);
  assert.equal(readQuic([...flight, again]).maySendMs, 90);
});

test('counts retransmitted data once, in any packets', () => {
  const piece = (number: number, begin: number, end: number, rest = {}) =>
    datagram(
      60 + number,
      'toClient',
      [quicPacket('short', number, [streamFrame(0, begin, RESPONSE.subarray(begin, end))])],
      rest,
    );
  const read = readQuic([
    ...OPENING,
    REQUEST_DATAGRAM,
    piece(1, 0, 700, LOST),
    piece(2, 700, RESPONSE.length),
    piece(40, 0, 350),
    piece(41, 300, 700),
  ]);
  const { lostPackets, retransmittedPackets, retransmittedBytes, payloadBytes } = read.toClient;
  assert.deepEqual([lostPackets, retransmittedPackets, retransmittedBytes], [1, 2, 750]);
  assert.equal(payloadBytes, 2000);
  assertFields(read, { goodputKbps: (2000 * 8) / (101 - 31.5), lostResponses: [1] });
});

test('attributes a lost packet to the responses with bytes in it', () => {
  const lost = [
    streamFrame(4, 0, RESPONSE),
    streamFrame(12, 0, RESPONSE),
    streamFrame(3, 0, RESPONSE),
  ];
  const read = readQuic([
    ...OPENING,
    datagram(40, 'toServer', [quicPacket('short', 5, [streamFrame(8, 0, RESPONSE)])], LOST),
    datagram(60, 'toClient', [quicPacket('short', 1, lost)], LOST),
    datagram(61, 'toClient', [quicPacket('short', 2, [streamFrame(8, 0, RESPONSE)])]),
  ]);
  assert.deepEqual(read.lostResponses, [2, 4]);
});

test('reads Initials, headers and packets without keys', () => {
  const closed = (each: TimedPacket): TimedPacket => ({
    ...each,
    packet: {
      ...each.packet,
      quic: each.packet.quic?.map((packet) => {
        if (packet.long === 1 && packet.longType === 0) return packet;
        const { frames, number, handshake, ...rest } = packet;
        return rest;
      }),
    },
  });
  const read = readQuic(LOAD.map(closed));
  assert.deepEqual([read.opened, read.requests, read.maySendMs], ['none', 0, null]);
  assert.deepEqual([read.host, read.tlsVersion], ['www.example.org', 'TLS 1.3']);
  assert.equal(read.roundTripMs?.least, 31);
  assert.equal(layersOf(read).http, 0);
});

test('counts a Retry and a Version Negotiation as headers, and the repeated data after them as repeated', () => {
  const retry = { bytes: 120, long: 1, longType: 3, version: 1 };
  const negotiation = { bytes: 40, long: 1, version: 0 };
  const [hello] = OPENING as [TimedPacket];
  for (const refusal of [retry, negotiation]) {
    const read = readQuic([
      hello,
      datagram(30, 'toClient', [refusal]),
      datagram(31, 'toServer', [quicPacket('initial', 1, [crypto(0, 300), padding(800)])]),
    ]);
    const { quic, handshake, unread, retransmissions } = layersOf(read);
    assert.deepEqual([handshake, unread, retransmissions], [300, 0, 300]);
    assert.equal(quic, refusal.bytes + 2 * (36 + 4));
    assert.equal(read.opened, 'none');
  }
});

test('recognizes a client that moves as the same', () => {
  const read = readQuic([
    ...OPENING,
    REQUEST_DATAGRAM,
    ...[9, 10].map((number) =>
      datagram(500, 'toServer', [quicPacket('short', number, [PING])], { moved: true }),
    ),
    datagram(530, 'toClient', [quicPacket('short', 9, [ack(9)])], { moved: true }),
  ]);
  assert.deepEqual([read.toServer.packets, read.toClient.packets], [5, 2]);
});

test('reports a truncated packet, and leaves its rest unread', () => {
  const { atMs, packet } = datagram(
    0,
    'toClient',
    [{ ...quicPacket('short', 0), bytes: 500, payloadBytes: 480 }],
    { spareBytes: 700 },
  );
  const read = readQuic([{ atMs, packet: { ...packet, capturedBytes: 96 } }]);
  const { quic, padding: paddingBytes, unread } = layersOf(read);
  assert.deepEqual([quic, paddingBytes, unread], [20, 0, 480 + 700]);
  assert.equal(layersOf(readQuic([{ atMs, packet }])).padding, 700);
});

test('counts a response of HTTP/0.9 as body', () => {
  const hello = {
    atMs: 0,
    packet: JSON.parse(JSON.stringify(OPENING[1]?.packet).replaceAll('"h3"', '"hq-interop"')),
  };
  const read = readQuic([
    hello,
    datagram(1, 'toServer', [
      quicPacket('short', 0, [streamFrame(0, 0, Buffer.from('GET /\r\n'))]),
    ]),
    datagram(9, 'toClient', [quicPacket('short', 0, [streamFrame(0, 500, Buffer.alloc(500))])]),
    datagram(11, 'toClient', [quicPacket('short', 1, [streamFrame(0, 0, Buffer.alloc(500))])]),
  ]);
  assert.deepEqual([read.requests, layersOf(read).http, read.toClient.payloadBytes], [1, 7, 1000]);
  assert.equal(read.goodputKbps, 800);
});

test('does not count another protocol in QUIC as HTTP', () => {
  const hello = {
    atMs: 0,
    packet: JSON.parse(JSON.stringify(OPENING[1]?.packet).replaceAll('"h3"', '"doq"')),
  };
  const read = readQuic([
    hello,
    datagram(1, 'toServer', [quicPacket('short', 0, [streamFrame(0, 0, REQUEST)])]),
  ]);
  const { http, payload, unread } = layersOf(read);
  assert.deepEqual([read.requests, http, payload, unread], [0, 0, 0, REQUEST.length]);
});

test('does not hold streams with a missing part for ever', () => {
  const chunk = Buffer.alloc(1000);
  const waiting = Array.from({ length: 1100 }, (_, index) =>
    datagram(100, 'toClient', [quicPacket('short', index, [streamFrame(4 * index, 100, chunk)])]),
  );
  const payloadOf = (packets: TimedPacket[]) => readQuic(packets).toClient.payloadBytes;
  assert.equal(payloadOf([...OPENING, ...waiting]), 1_100_000);
  assert.equal(payloadOf([...OPENING, ...waiting, ...waiting]), 1_100_000);
});

test('counts closes as errors unless they report no error', () => {
  const closesOf = (frames: QuicFrame[]) =>
    readQuic([datagram(0, 'toServer', [quicPacket('short', 0, frames)])]).closes.map(
      ({ by, layer, name, isError }) => [by, layer, name, isError],
    );
  const close = (error: number) => ({ type: QUIC_FRAME.close, bytes: 4, error });
  const application = (error: number) => ({ type: QUIC_FRAME.closeByApplication, bytes: 4, error });
  assert.deepEqual(closesOf([close(0), close(0)]), [['client', 'quic', 'NO_ERROR', false]]);
  assert.deepEqual(closesOf([application(0x100)]), [
    ['client', 'application', 'H3_NO_ERROR', false],
  ]);
  assert.deepEqual(closesOf([close(10), close(0x12a), application(0x10c), close(0xfff1)]), [
    ['client', 'quic', 'PROTOCOL_VIOLATION', true],
    ['client', 'quic', 'CRYPTO_ERROR (bad_certificate)', true],
    ['client', 'application', 'H3_REQUEST_CANCELLED', true],
    ['client', 'quic', 'error 0xfff1', true],
  ]);
});
