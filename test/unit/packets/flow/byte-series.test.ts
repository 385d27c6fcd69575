import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atServer, ByteSeriesReader, inFlight } from '../../../../packets/flow/byte-series.ts';
import { assertEach } from '../../assert-each.ts';
import { ACK, LOST, QUIC_LOAD, quic, streamFrame, tcp } from './made-up-packets.ts';

function seriesOf(packets: typeof QUIC_LOAD) {
  const reader = new ByteSeriesReader();
  for (const packet of packets) reader.take(packet, packet.direction);
  return reader.series;
}

test('shifts what the server sends half a round trip before its arrival, and what it receives as much later', () => {
  const { sent, acknowledged, window } = atServer(seriesOf(QUIC_LOAD), 0, 30);
  assertEach(sent, ({ atMs, bytes }) => [Math.round(atMs), bytes], [
    [48, 1000],
    [48, 1500],
  ]);
  assertEach(acknowledged, ({ atMs, bytes }) => [Math.round(atMs), bytes], [[78, 1500]]);
  assertEach(window, ({ bytes }) => bytes, [5000]);
});

test('counts acknowledged ranges of QUIC once, and gaps between them not at all', () => {
  const packets = [0, 1, 2, 3].map((number) =>
    quic(number, 'toClient', [streamFrame(0, number * 100, 100)], { number }),
  );
  const { acknowledged } = seriesOf([
    ...packets,
    // 3, and 0 to 1: the range of one, a gap of one, the range of two.
    quic(5, 'toServer', [{ ...ACK, largest: 3, ranges: [0, 0, 1] }]),
    quic(6, 'toServer', [{ ...ACK, largest: 3, ranges: [3] }]),
    quic(7, 'toServer', [{ ...ACK, largest: 3, ranges: [3] }]),
  ]);
  assert.deepEqual(acknowledged, [
    { atMs: 5, bytes: 300 },
    { atMs: 6, bytes: 400 },
  ]);
});

test('counts bytes of a lost packet as sent when it was sent, and not again with the packet that replaces it', () => {
  const packet = (atMs: number, number: number, offset: number, parts = {}) =>
    quic(atMs, 'toClient', [streamFrame(0, offset, 100)], { number }, parts);
  const again = { ...packet(60, 3, 100), againBytes: 100 };
  const { sent, lost, resent } = atServer(
    seriesOf([packet(30, 0, 0), packet(31, 1, 100, LOST), packet(32, 2, 200), again]),
    0,
    30,
  );
  assert.deepEqual(sent, [
    { atMs: 15, bytes: 100 },
    { atMs: 16, bytes: 200 },
    { atMs: 17, bytes: 300 },
    { atMs: 45, bytes: 300 },
  ]);
  assert.deepEqual(lost, [{ atMs: 16, bytes: 200 }]);
  assert.deepEqual(resent, [{ atMs: 45, bytes: 300 }]);
});

test('reads TCP from sequence numbers, acknowledgements and window', () => {
  const series = seriesOf([
    tcp(0, 'toServer', { flags: 2, sequence: 0, acknowledged: 0, windowBytes: 64_000 }),
    tcp(30, 'toClient', { flags: 0x12, sequence: 0 }),
    tcp(30, 'toServer', { acknowledged: 1, windowBytes: 64_000 }),
    tcp(60, 'toClient', { sequence: 1, bytes: 1000 }),
    tcp(61, 'toClient', { sequence: 1001, bytes: 500 }, {}),
    tcp(62, 'toServer', { acknowledged: 1501, windowBytes: 65_000 }),
    tcp(63, 'toClient', { sequence: 1501, flags: 0x11 }),
    tcp(64, 'toServer', { acknowledged: 1502, windowBytes: 65_000 }),
  ]);
  const { sent, acknowledged, window } = atServer(series, 0, null);
  assert.deepEqual(sent, [
    { atMs: 60, bytes: 1000 },
    { atMs: 61, bytes: 1500 },
  ]);
  assert.deepEqual(acknowledged, [{ atMs: 62, bytes: 1500 }]);
  assertEach(window, ({ bytes }) => bytes, [64_000, 66_500, 66_501]);
});

test('counts as bytes in flight those sent and not acknowledged', () => {
  const [sent, acknowledged] = [
    [10, 20, 40].map((atMs, at) => ({ atMs, bytes: (at + 1) * 100 })),
    [{ atMs: 30, bytes: 200 }],
  ];
  assert.deepEqual(
    inFlight({ sent, acknowledged, window: [], lost: [], resent: [] }).map(({ bytes }) => bytes),
    [100, 200, 0, 100],
  );
});
