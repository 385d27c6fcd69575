import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Direction } from '../../../../packets/connections/wire-counts.ts';
import type { QuicFrame, QuicPacket } from '../../../../packets/dissection/packet.ts';
import { QuicWindows } from '../../../../packets/windows/quic-windows.ts';
import { assertEach } from '../../assert-each.ts';

const PING: QuicFrame = { type: 1, bytes: 1 };
const ack = (largest: number, first = 0): QuicFrame => ({
  type: 2,
  bytes: 5,
  largest,
  delay: 0,
  ranges: [first],
});
const packet = (number: number, ...frames: QuicFrame[]) => ({
  bytes: 1000,
  long: 0,
  number,
  frames,
});

/** Windows from packets that were captured this many ms after the load began. */
function windowsOf(
  captured: readonly (readonly [
    atMs: number,
    direction: Direction,
    quic: QuicPacket,
    comment?: string,
  ])[],
) {
  const windows = new QuicWindows(1_795_000_000_000);
  for (const [n, [atMs, direction, quic, comment]] of captured.entries()) {
    windows.take({
      packet: {
        n,
        s: 1_795_000_000,
        ns: atMs * 1e6,
        bytes: 1042,
        capturedBytes: 1042,
        ...(comment !== undefined && { comments: [comment] }),
        quic: [quic],
      },
      atMs,
      connection: 0,
      direction,
      againBytes: 0,
    });
  }
  return windows.windows();
}

test('counts packets as sent half a round trip before, and in flight until their acknowledgement is back', () => {
  const [connection] = windowsOf([
    [0, 'toServer', packet(0, PING)],
    // Sets a round trip of 30 ms.
    [30, 'toClient', packet(0, ack(0), PING)],
    [40, 'toClient', packet(1, PING)],
    [41, 'toServer', packet(1, ack(1, 1))],
  ]);
  assert.equal(connection?.name, 'connection 1');
  assert.deepEqual(connection?.points, [
    { atMs: 15, cwndBytes: null, inFlightBytes: 1000, rttMs: null },
    { atMs: 25, cwndBytes: null, inFlightBytes: 2000, rttMs: null },
    { atMs: 56, cwndBytes: null, inFlightBytes: 0, rttMs: 31 },
  ]);
});

test('counts a loss on the path as sent, and lets a loss of the client acknowledge nothing', () => {
  const [connection] = windowsOf([
    [0, 'toServer', packet(0, PING)],
    [30, 'toClient', packet(0, ack(0), PING)],
    [40, 'toClient', packet(1, PING), 'lost on the path'],
    [50, 'toServer', packet(1, ack(0)), 'lost on the path'],
  ]);
  assertEach(connection?.points, ({ atMs, inFlightBytes }) => [atMs, inFlightBytes], [
    [15, 1000],
    [25, 2000],
  ]);
});
