import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortText, stepText } from '../../../../packets/flow/sequence.ts';
import { assertEach } from '../../assert-each.ts';
import { ACK, LOST, QUIC_LOAD, quic, stepsOf, streamFrame, tcp } from './made-up-packets.ts';

const textsOf = (packets: Parameters<typeof stepsOf>[0], leastRttMs?: number) =>
  stepsOf(packets, leastRttMs).map((step) => `${step.direction}: ${stepText(step)}`);

test('describes a load by HTTP/3 from the hello to the acknowledged response', () => {
  assert.deepEqual(textsOf(QUIC_LOAD), [
    'toServer: Initial: ClientHello (2 packets)',
    'toClient: Initial: ServerHello',
    'toClient: Handshake: EncryptedExtensions, Certificate, CertificateVerify, Finished',
    'toServer: Handshake: Finished',
    'toServer: HEADERS stream\u00a00',
    'toClient: HANDSHAKE_DONE',
    'toClient: response on stream 0: 2 packets, 1.5 kB',
    'toServer: 1 acknowledgement',
  ]);
});

test('describes a TCP connection with its requests by path, and its end', () => {
  const FIRST = { type: 1, bytes: 60, stream: 1, method: 'GET', path: '/' };
  const packets = [
    tcp(0, 'toServer', { flags: 2, sequence: 0 }),
    tcp(30, 'toClient', { flags: 0x12, sequence: 0 }),
    tcp(30.1, 'toServer', {}),
    tcp(30.2, 'toServer', { bytes: 1448 }),
    tcp(
      30.3,
      'toServer',
      { bytes: 500, sequence: 1449 },
      { records: [{ bytes: 1948, handshake: [{ type: 1 }] }] },
    ),
    tcp(
      61,
      'toClient',
      { bytes: 700 },
      { records: [{ bytes: 700, handshake: [{ type: 2 }, { type: 20 }] }] },
    ),
    tcp(
      62,
      'toServer',
      { bytes: 60, sequence: 1949 },
      { records: [{ bytes: 60, handshake: [{ type: 20 }] }] },
    ),
    tcp(62.5, 'toServer', { bytes: 80, sequence: 2009 }, { http2: [FIRST] }),
    tcp(
      93,
      'toClient',
      { bytes: 100, sequence: 701 },
      {
        http2: [
          { type: 4, bytes: 20 },
          { type: 8, bytes: 13 },
        ],
      },
    ),
    tcp(94, 'toClient', { bytes: 1448, sequence: 801 }),
    tcp(
      94.1,
      'toClient',
      { bytes: 200, sequence: 2249 },
      {
        http2: [
          { type: 1, bytes: 50, stream: 1, status: 200 },
          { type: 0, bytes: 1500, stream: 1 },
        ],
      },
    ),
    tcp(95, 'toServer', { flags: 0x11, sequence: 2089 }, { alerts: [{ level: 1, code: 0 }] }),
  ];
  assert.deepEqual(textsOf(packets), [
    'toServer: SYN',
    'toClient: SYN, ACK',
    'toServer: 1 acknowledgement',
    'toServer: ClientHello (2 packets)',
    'toClient: ServerHello, Finished',
    'toServer: Finished',
    'toServer: GET /',
    'toClient: SETTINGS, WINDOW_UPDATE',
    'toClient: response on stream 1: 2 packets, 1.6 kB',
    'toServer: alert close_notify, FIN',
  ]);
});

test('ends a flight with a silence of a quarter of the round trip, and with a request, but not with an acknowledgement', () => {
  const response = (atMs: number, offset: number) =>
    quic(atMs, 'toClient', [streamFrame(0, offset, 1000)]);
  const packets = [
    ...QUIC_LOAD.slice(0, 2),
    response(60, 0),
    quic(61, 'toServer', [ACK]),
    response(67, 1000),
    response(75, 2000),
    quic(75.5, 'toServer', [streamFrame(4, 0, 100)]),
    response(76, 3000),
  ];
  assert.deepEqual(
    stepsOf(packets)
      .slice(1)
      .map(({ kind, packets: count }) => `${kind} ${count}`),
    ['data 2', 'acknowledgement 1', 'data 1', 'request 1', 'data 1'],
  );
});

test('joins requests of one flight in one step that names their streams', () => {
  const request = (atMs: number, stream: number) =>
    quic(atMs, 'toServer', [streamFrame(stream, 0, 100)]);
  const [, step] = stepsOf([
    ...QUIC_LOAD.slice(0, 2),
    request(101, 4),
    request(102, 8),
    request(102.5, 12),
  ]);
  assert.deepEqual(step?.streams, [4, 8, 12]);
  assert.equal(step && shortText(step), '3\u00a0requests, streams 4, 8, 12');
});

test('joins close acknowledgements in one step, also with other packets between them', () => {
  const packets = [0, 1, 2, 20].flatMap((atMs) => [
    quic(atMs, 'toServer', [ACK]),
    quic(atMs + 0.1, 'toClient', [streamFrame(0, atMs * 1000, 1000)]),
  ]);
  const acks = stepsOf(packets).filter(({ kind }) => kind === 'acknowledgement');
  assertEach(acks, ({ beginMs, endMs, packets: count }) => [beginMs, endMs, count], [
    [0, 2, 3],
    [20, 20, 1],
  ]);
});

test('shows a lost packet as a separate step among the arrived ones, without ending the flight', () => {
  const response = (atMs: number, offset: number, parts = {}) =>
    quic(atMs, 'toClient', [streamFrame(0, offset, 1000)], {}, parts);
  const packets = [
    ...QUIC_LOAD.slice(0, 2),
    response(60, 0),
    // Lost packets of the server stand where they would have arrived.
    response(60.1, 1000, LOST),
    response(60.2, 2000),
    response(90, 1000),
  ];
  assert.deepEqual(textsOf(packets).slice(1), [
    'toClient: response on stream 0: 2 packets, 2.0 kB',
    'toClient: lost: response on stream 0: 1 packet, 1.0 kB',
    'toClient: resent: response on stream 0: 1 packet, 1.0 kB',
  ]);
});

test('describes a retransmission by the lost packet, because it is not dissected a second time', () => {
  const hello = { records: [{ bytes: 700, handshake: [{ type: 2 }, { type: 20 }] }] };
  const packets = [
    tcp(45, 'toClient', { bytes: 700 }, { ...hello, ...LOST }),
    tcp(290, 'toClient', { bytes: 700 }, {}, 700),
  ];
  assert.deepEqual(textsOf(packets), [
    'toClient: lost: ServerHello, Finished',
    'toClient: resent: ServerHello, Finished',
  ]);
});

test('counts a packet that fills a gap as sent again, if the capture lacks the first one', () => {
  const packets = [1, 2897, 1449].map((sequence, at) =>
    tcp(at, 'toClient', { sequence, bytes: 1448 }),
  );
  assert.deepEqual(
    stepsOf(packets).map(({ fate, packets: count }) => `${fate} ${count}`),
    ['arrived 2', 'resent 1'],
  );
});

test('does not take restarted sequence numbers of TCP for gaps', () => {
  const packets = [2 ** 32 - 1448, 0, 1448].map((sequence, at) =>
    tcp(at, 'toClient', { sequence, bytes: 1448 }),
  );
  assertEach(stepsOf(packets), ({ fate, packets: count }) => `${fate} ${count}`, ['arrived 3']);
});

test('describes datagrams that could not be decrypted as data', () => {
  const packets = [0, 1].map((atMs) => quic(atMs, 'toClient', [], { closed: true }));
  assert.deepEqual(textsOf(packets), ['toClient: response: 2 packets, 116 B']);
});

test('does not take streams of other protocols than HTTP/3 for requests', () => {
  const packets = [
    quic(0, 'toServer', [{ type: 6, dataBytes: 300 }], {
      long: 1,
      longType: 0,
      handshake: [{ type: 1, protocols: ['hello'] }],
    }),
    quic(30, 'toServer', [streamFrame(0, 0, 39)]),
  ];
  assert.deepEqual(textsOf(packets).slice(1), ['toServer: data on stream 0: 1 packet, 39 B']);
});

test('describes the end of a connection by its name', () => {
  const packets = [
    quic(0, 'toServer', [{ type: 0x1d, error: 0x100 }]),
    quic(1, 'toClient', [{ type: 0x1c, error: 0 }]),
    tcp(2, 'toServer', { flags: 0x04 }),
  ];
  assert.deepEqual(textsOf(packets), [
    'toServer: CONNECTION_CLOSE H3_NO_ERROR',
    'toClient: CONNECTION_CLOSE NO_ERROR',
    'toServer: RESET',
  ]);
});
