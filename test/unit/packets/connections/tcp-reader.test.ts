import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  HANDSHAKE,
  type HandshakeMessage,
  TLS_RECORD,
  type TlsRecord,
} from '../../../../packets/dissection/packet.ts';
import { layersOf, opened, readTcp, segment, type TimedPacket } from '../made-packets.ts';

const LOST = { comments: ['lost on the path'] };
const SERVER_HELLO = {
  type: HANDSHAKE.serverHello,
  version: 0x304,
  cipher: 4865,
  group: 29,
};
const FINISHED = { type: HANDSHAKE.finished };
const EXTENSIONS = { type: HANDSHAKE.encryptedExtensions, protocols: ['h2'] };
const CLIENT_HELLO = { type: HANDSHAKE.clientHello, serverName: 'www.example.org' };
const CHANGE_CIPHER = { bytes: 6, type: TLS_RECORD.changeCipherSpec };

const plain = (bytes: number, ...handshake: HandshakeMessage[]): TlsRecord => ({
  bytes,
  type: TLS_RECORD.handshake,
  handshake,
});
const openedHandshake = (bytes: number, ...handshake: HandshakeMessage[]) =>
  opened(bytes, { type: TLS_RECORD.handshake, handshake });

/** A handshake of TLS 1.3 with round trips of 30 ms, as the client sees it. */
const OPENING: TimedPacket[] = [
  segment(0, 'toServer', { flags: 'syn', sequence: 0 }),
  segment(30, 'toClient', { flags: 'syn ack', sequence: 0, acknowledged: 1 }),
  segment(30.1, 'toServer'),
  segment(30.2, 'toServer', { bytes: 505, records: [plain(505, CLIENT_HELLO)] }),
  segment(60.2, 'toClient', {
    bytes: 900,
    acknowledged: 506,
    records: [plain(100, SERVER_HELLO), openedHandshake(778, EXTENSIONS, FINISHED)],
  }),
  segment(61, 'toServer', {
    sequence: 506,
    bytes: 64,
    acknowledged: 901,
    records: [CHANGE_CIPHER, openedHandshake(36, FINISHED)],
  }),
];

const REQUEST = segment(62, 'toServer', {
  sequence: 570,
  bytes: 122,
  acknowledged: 901,
  records: [opened(100)],
  http2: [{ type: 1, bytes: 100, contentBytes: 91, path: '/' }],
});

const RESPONSE: TimedPacket[] = [
  segment(92, 'toClient', { sequence: 901, bytes: 1400, acknowledged: 692 }),
  segment(93, 'toClient', {
    sequence: 2301,
    bytes: 622,
    acknowledged: 692,
    records: [opened(2000)],
    http2: [
      { type: 1, bytes: 50, status: 200 },
      { type: 0, bytes: 1950, contentBytes: 1941 },
    ],
  }),
  segment(93.1, 'toServer', { sequence: 692, acknowledged: 2923 }),
];

test('reads the instants of a TLS 1.3 handshake, and the agreed parameters', () => {
  const read = readTcp([...OPENING, REQUEST, ...RESPONSE]);
  assert.deepEqual(
    [read.host, read.protocol, read.tlsVersion, read.cipher, read.group, read.opened],
    ['www.example.org', 'h2', 'TLS 1.3', 'TLS_AES_128_GCM_SHA256', 'X25519', 'all'],
  );
  assert.deepEqual([read.clientHelloMs, read.maySendMs], [30.2, 60.2]);
  assert.deepEqual([read.completeMs, read.confirmedMs], [61, 92]);
  assert.equal(read.requests, 1);
  assert.ok(Math.abs((read.roundTripMs?.least ?? 0) - 30.1) < 0.01);
});

test('counts each byte in one layer', () => {
  const read = readTcp([...OPENING, REQUEST, ...RESPONSE]);
  assert.deepEqual(layersOf(read), {
    ethernet: 8 * 14,
    ip: 8 * 20,
    transport: 8 * 32,
    quic: 0,
    tls: 5 + 5 + 22 + 6 + 22 + 22 + 22,
    handshake: 500 + 95 + 778 + 36,
    http: 100 + 59,
    payload: 1941,
    padding: 0,
    acknowledgements: 2 * 66,
    retransmissions: 0,
    unread: 0,
  });
  assert.equal(read.beforeRequest.http, 0);
  assert.equal(read.toClient.payloadBytes, 1941);
  assert.equal(read.toServer.ackPackets, 2);
  assert.equal(read.goodputKbps, (1941 * 8) / 31);
});

test("takes no confirmation from the server's data before the client's last message", () => {
  const early = segment(61.5, 'toClient', { sequence: 901, bytes: 60, acknowledged: 506 });
  const late = segment(91, 'toClient', { sequence: 961, acknowledged: 570 });
  assert.equal(readTcp([...OPENING, early]).confirmedMs, null);
  assert.equal(readTcp([...OPENING, early, late]).confirmedMs, 91);
});

test('counts a last message that was lost once, when it is repeated', () => {
  const [finished] = OPENING.slice(-1) as [TimedPacket];
  const lost: TimedPacket = { ...finished, packet: { ...finished.packet, ...LOST } };
  const again = segment(300, 'toServer', { sequence: 506, bytes: 64, acknowledged: 901 });
  const read = readTcp([...OPENING.slice(0, -1), lost, again]);
  assert.deepEqual([read.maySendMs, read.completeMs], [60.2, 300]);
  const { packets, lostPackets, retransmittedPackets, retransmittedBytes } = read.toServer;
  assert.deepEqual([packets, lostPackets, retransmittedPackets, retransmittedBytes], [5, 1, 1, 64]);
  assert.equal(layersOf(read).handshake, 500 + 95 + 778 + 36);
});

test('does not receive a last message while something before it is missing', () => {
  const flight = (first: object, second: object): TimedPacket[] => [
    segment(60, 'toClient', { bytes: 400, ...first }),
    segment(60.1, 'toClient', {
      sequence: 401,
      bytes: 500,
      ...second,
      records: OPENING[4]?.packet.records,
    }),
  ];
  const again = (atMs: number, sequence: number, bytes: number) =>
    segment(atMs, 'toClient', { sequence, bytes });
  assert.equal(readTcp([...flight({}, {})]).maySendMs, 60.1);
  assert.equal(readTcp([...flight(LOST, {})]).maySendMs, null);
  assert.equal(readTcp([...flight(LOST, {}), again(95, 1, 400)]).maySendMs, 95);
  const both = [...flight(LOST, LOST), again(95, 1, 400)];
  assert.equal(readTcp(both).maySendMs, null);
  assert.equal(readTcp([...both, again(96, 401, 500)]).maySendMs, 96);
});

/** TLS 1.2: the client ends first, and the server after it. */
function older({ falseStart = false, keys = true }): TimedPacket[] {
  const sealed = (bytes: number, type: number, handshake = [FINISHED]): TlsRecord => ({
    bytes,
    type,
    ...(keys && type === TLS_RECORD.handshake ? { handshake } : {}),
  });
  const request = (atMs: number) =>
    segment(atMs, 'toServer', {
      sequence: 100,
      bytes: 129,
      records: [sealed(129, TLS_RECORD.data)],
      ...(keys ? { http1: [{ method: 'GET', path: '/' }] } : {}),
    });
  return [
    segment(10, 'toClient', {
      bytes: 500,
      records: [
        plain(500, { ...SERVER_HELLO, version: 0x303, cipher: 49195, protocols: ['http/1.1'] }),
      ],
    }),
    segment(11, 'toServer', {
      bytes: 99,
      records: [plain(48, { type: 16 }), CHANGE_CIPHER, sealed(45, TLS_RECORD.handshake)],
    }),
    ...(falseStart ? [request(11.5)] : []),
    segment(40, 'toClient', {
      sequence: 501,
      bytes: 51,
      acknowledged: 100,
      records: [CHANGE_CIPHER, sealed(45, TLS_RECORD.handshake)],
    }),
    ...(falseStart ? [] : [request(41)]),
    segment(70, 'toClient', {
      sequence: 552,
      bytes: 229,
      acknowledged: 229,
      records: [sealed(229, TLS_RECORD.data)],
      ...(keys ? { http1: [{ status: 200, bodyBytes: 150 }] } : {}),
    }),
  ];
}

test("lets a TLS 1.2 request wait for the server's last message, unless the client starts before", () => {
  const waiting = readTcp(older({}));
  assert.deepEqual([waiting.maySendMs, waiting.completeMs, waiting.confirmedMs], [40, 40, 40]);
  assert.deepEqual([waiting.tlsVersion, waiting.protocol], ['TLS 1.2', 'http/1.1']);
  const early = readTcp(older({ falseStart: true }));
  assert.deepEqual([early.maySendMs, early.completeMs], [11.5, 40]);
});

test('reads encrypted TLS 1.2 only with keys', () => {
  const read = readTcp(older({}));
  assert.equal(read.opened, 'all');
  // Headers of 8 records, two messages, and 24 bytes of seal in four.
  const { tls, handshake, http, payload, unread } = layersOf(read);
  assert.deepEqual([tls, handshake], [8 * 5 + 2 + 4 * 24, 495 + 43 + 2 * 16]);
  assert.deepEqual([http, payload, unread], [100 + 200 - 150, 150, 0]);

  const closed = readTcp(older({ keys: false }));
  assert.deepEqual([closed.opened, closed.maySendMs, closed.requests], ['none', null, 0]);
  const { http: closedHttp, payload: closedPayload, unread: closedBytes } = layersOf(closed);
  assert.deepEqual([closedHttp, closedPayload, closedBytes], [0, 0, 2 * 16 + 100 + 200]);
});

test('leaves encrypted TLS 1.3 unread without keys', () => {
  const closed = readTcp(
    [...OPENING, REQUEST].map(({ atMs, packet: { http2, records, ...packet } }) => ({
      atMs,
      packet: {
        ...packet,
        records: records?.map(({ sealed, ...record }) =>
          sealed ? { bytes: record.bytes, sealed } : { sealed, ...record },
        ),
      },
    })),
  );
  assert.deepEqual([closed.opened, closed.requests, closed.completeMs], ['none', 0, null]);
  const { handshake, http, unread } = layersOf(closed);
  assert.deepEqual([handshake, http, unread], [595, 0, 778 + 36 + 100]);
});

test('sends early data before the handshake has ended', () => {
  const early = segment(0.3, 'toServer', {
    sequence: 506,
    bytes: 122,
    records: [opened(100)],
    http2: [{ type: 1, bytes: 100, path: '/' }],
  });
  const read = readTcp([...OPENING.slice(0, 4), early, ...OPENING.slice(4, 5)]);
  assert.deepEqual([read.maySendMs, read.completeMs], [0.3, null]);
});

/** Two responses by HTTP/2, the second in a record that begins in the segment with the end of the first. */
function twoResponses(...lost: number[]) {
  const requestSegment = (stream: number, sequence: number) =>
    segment(62, 'toServer', {
      sequence,
      bytes: 122,
      acknowledged: 901,
      records: [opened(100)],
      http2: [{ type: 1, bytes: 100, stream, path: '/' }],
    });
  const answer = (place: number, records: number[], streams: number[]) =>
    segment(92 + place, 'toClient', {
      sequence: 901 + 1000 * place,
      bytes: 1000,
      acknowledged: 814,
      records: records.map((bytes) => opened(bytes - 22)),
      http2: streams.map((stream) => ({ type: 0, bytes: 800, contentBytes: 791, stream })),
      ...(lost.includes(place) && LOST),
    });
  const answers = [answer(0, [], []), answer(1, [1900], [1]), answer(2, [1100], [3])];
  return readTcp([...OPENING, requestSegment(1, 570), requestSegment(3, 692), ...answers])
    .lostResponses;
}

test('attributes a lost segment to the responses whose records it had a part of', () => {
  assert.deepEqual(twoResponses(), []);
  assert.deepEqual(twoResponses(0), [1]);
  assert.deepEqual(twoResponses(1), [1, 2]);
  assert.deepEqual(twoResponses(2), [2]);
});

test('attributes a lost segment by HTTP/1.1 to the response in progress, and to no response before a request', () => {
  const answer = (sequence: number, http1: object[], lost: object) =>
    segment(sequence, 'toClient', { sequence, bytes: 1000, http1, ...lost });
  const responses = (first: object, second: object) =>
    readTcp([
      answer(1, [], first),
      segment(1002, 'toServer', { bytes: 100, http1: [{ method: 'GET', path: '/' }] }),
      answer(1001, [{ status: 200, bodyBytes: 900 }], {}),
      segment(2002, 'toServer', {
        sequence: 101,
        bytes: 100,
        http1: [{ method: 'GET', path: '/' }],
      }),
      answer(2001, [], second),
      answer(3001, [{ status: 200, bodyBytes: 1900 }], {}),
    ]).lostResponses;
  assert.deepEqual(responses({}, LOST), [2]);
  assert.deepEqual(responses(LOST, {}), []);
});

test('counts repeated data once if the lost copy is there, and takes no round trip from it', () => {
  const read = readTcp([
    segment(0, 'toClient', { bytes: 1000, ...LOST }),
    segment(1, 'toClient', { sequence: 1001, bytes: 1000 }),
    segment(300, 'toClient', { bytes: 1000 }),
    segment(300.5, 'toServer', { acknowledged: 1001 }),
    // Half of it is new.
    segment(301, 'toClient', { sequence: 1501, bytes: 1000 }),
    segment(302, 'toServer', { acknowledged: 2501 }),
  ]);
  const { lostPackets, retransmittedPackets, retransmittedBytes } = read.toClient;
  assert.deepEqual([lostPackets, retransmittedPackets, retransmittedBytes], [1, 2, 1500]);
  assert.equal(layersOf(read).unread, 2500);
  assert.equal(read.roundTripMs, null);
});

test('has holes for losses towards a receiver that captures', () => {
  const read = readTcp([
    segment(0, 'toClient', { bytes: 1000 }),
    segment(1, 'toClient', { sequence: 2001, bytes: 1000 }),
    segment(40, 'toClient', { sequence: 1001, bytes: 1000 }),
  ]);
  assert.equal(read.toClient.retransmittedBytes, 0);
  assert.equal(layersOf(read).unread, 3000);
});

test('continues sequence numbers after 2^32', () => {
  const read = readTcp([
    segment(0, 'toServer', { bytes: 10 }),
    segment(0, 'toClient', { sequence: 2 ** 32 - 1500, bytes: 1000, acknowledged: 11 }),
    segment(1, 'toClient', { sequence: 2 ** 32 - 500, bytes: 1000, acknowledged: 11 }),
    segment(2, 'toClient', { sequence: 500, bytes: 1000 }),
    segment(3, 'toServer', { acknowledged: 1500 }),
    segment(4, 'toClient', { sequence: 2 ** 32 - 500, bytes: 1000 }),
    segment(5, 'toClient', { sequence: 1500, bytes: 10 }),
  ]);
  assert.equal(read.toClient.retransmittedBytes, 1000);
  assert.equal(read.roundTripMs?.samples, 1);
  assert.equal(read.roundTripMs?.least, 1);
});

test('takes no round trip of the path from what ends a connection at the capturing end', () => {
  const [syn, synAck, ack] = OPENING as [TimedPacket, TimedPacket, TimedPacket];
  const reset = segment(30.3, 'toServer', { flags: 'rst', sequence: 1, acknowledged: 1 });
  // The client has another connection by now: the first SYN was lost, so that the second one says
  // nothing about the path.
  const again = segment(-1000, 'toServer', { flags: 'syn', sequence: 0, ...LOST });
  const closed = [again, syn, synAck, ack, reset];
  assert.equal(readTcp(closed).roundTripMs, null);
  // A server that has gone answers data that it does not read any more; its kernel may delay that
  // at will.
  const late = segment(500, 'toClient', { flags: 'rst ack', sequence: 1, acknowledged: 506 });
  const hello = segment(30.2, 'toServer', { bytes: 505, records: [plain(505, CLIENT_HELLO)] });
  const { roundTripMs } = readTcp([syn, synAck, ack, hello, late]);
  assert.deepEqual([roundTripMs?.samples, Math.round(roundTripMs?.p95 ?? 0)], [1, 30]);
});

test('places data in a SYN at the beginning of the data', () => {
  const read = readTcp([
    segment(0, 'toServer', { flags: 'syn', sequence: 0, bytes: 100 }),
    segment(30, 'toClient', { flags: 'syn ack', sequence: 0, acknowledged: 1 }),
    segment(31, 'toServer', { sequence: 1, bytes: 100 }),
    segment(32, 'toServer', { sequence: 101, bytes: 50 }),
  ]);
  assert.equal(read.toServer.retransmittedBytes, 100);
});

test('counts bodies of a capture that began after their request', () => {
  const { afterRequest, beforeRequest, toClient } = readTcp(RESPONSE);
  assert.deepEqual([beforeRequest.payload, afterRequest.payload], [1941, 0]);
  assert.equal(toClient.payloadBytes, 1941);
});

test('counts a record with a missing beginning as far as it is there', () => {
  const read = readTcp([segment(0, 'toClient', { bytes: 100, records: [opened(500)] })]);
  const { tls, http, unread } = layersOf(read);
  assert.deepEqual([tls, http, unread], [22, 78, 0]);
});

test('has no body for responses to HEAD, 204, 304 and interim ones, despite a Content-Length', () => {
  const requestSegment = (sequence: number, methods: string[]) =>
    segment(sequence, 'toServer', {
      sequence,
      bytes: 100,
      http1: methods.map((method) => ({ method, path: '/' })),
    });
  const answer = (sequence: number, http1: object[]) =>
    segment(sequence, 'toClient', { sequence, bytes: 2000, http1 });
  const read = readTcp([
    requestSegment(1, ['HEAD', 'GET', 'GET']),
    answer(1, [
      { status: 103 },
      { status: 200, bodyBytes: 700 },
      { status: 304, bodyBytes: 600 },
      { status: 200, bodyBytes: 500 },
    ]),
    requestSegment(101, ['DELETE', 'GET']),
    answer(2001, [{ status: 204 }, { status: 200, chunkBytes: 40 }]),
  ]);
  assert.equal(read.requests, 5);
  assert.equal(read.toClient.payloadBytes, 540);
});

test('does not count another protocol inside TLS as HTTP', () => {
  const read = readTcp(
    OPENING.map(({ atMs, packet }) => ({
      atMs,
      packet: JSON.parse(JSON.stringify(packet).replaceAll('"h2"', '"imap"')),
    })).concat(segment(62, 'toServer', { sequence: 570, bytes: 122, records: [opened(100)] })),
  );
  const { http, unread } = layersOf(read);
  assert.deepEqual([read.protocol, http, unread], ['imap', 0, 100]);
});

test('counts plain text as HTTP from a request on', () => {
  const read = readTcp([
    segment(0, 'toServer', { bytes: 100, http1: [{ method: 'GET', path: '/' }] }),
    segment(5, 'toClient', { bytes: 1000, http1: [{ status: 200, bodyBytes: 800 }] }),
  ]);
  const { http, payload, unread } = layersOf(read);
  assert.deepEqual([read.opened, http, payload, unread], ['none', 300, 800, 0]);
});

test('does not call an idle connection slow that is closed late', () => {
  const close = segment(60_000, 'toClient', {
    sequence: 2923,
    bytes: 24,
    records: [opened(2, { type: TLS_RECORD.alert })],
    alerts: [{ level: 1, code: 0 }],
  });
  assert.equal(readTcp([...OPENING, REQUEST, ...RESPONSE, close]).goodputKbps, (1941 * 8) / 31);
});

const alert = (atMs: number, direction: 'toServer' | 'toClient', code: number) =>
  segment(atMs, direction, { bytes: 0, flags: 'ack push', alerts: [{ level: 2, code }] });

test('counts closes as errors unless the connection ended in good order', () => {
  const closesOf = (packets: TimedPacket[]) =>
    readTcp(packets).closes.map(({ by, layer, name, isError }) => [by, layer, name, isError]);
  const reset = segment(9, 'toServer', { flags: 'reset' });
  assert.deepEqual(closesOf([reset, reset]), [['client', 'tcp', 'RST', true]]);
  assert.deepEqual(closesOf([segment(1, 'toClient', { flags: 'fin ack' }), reset]), [
    ['client', 'tcp', 'RST', false],
  ]);
  assert.deepEqual(closesOf([alert(1, 'toServer', 0), alert(2, 'toClient', 50), reset]), [
    ['client', 'tls', 'close_notify', false],
    ['server', 'tls', 'decode_error', false],
    ['client', 'tcp', 'RST', false],
  ]);
  assert.deepEqual(closesOf([alert(1, 'toClient', 40)]), [
    ['server', 'tls', 'handshake_failure', true],
  ]);
  assert.deepEqual(closesOf([alert(1, 'toClient', 199)]), [['server', 'tls', 'alert_199', true]]);
  const goAway = (error: number) =>
    segment(1, 'toClient', { bytes: 39, http2: [{ type: 7, bytes: 17, error }] });
  assert.deepEqual(closesOf([goAway(0), goAway(11)]), [
    ['server', 'application', 'GOAWAY (NO_ERROR)', false],
    ['server', 'application', 'GOAWAY (ENHANCE_YOUR_CALM)', true],
  ]);
});
