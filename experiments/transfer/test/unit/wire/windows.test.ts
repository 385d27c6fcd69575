import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Flight } from '../../../wire/flight.ts';
import type { PacketContents } from '../../../wire/frames.ts';
import { Windows } from '../../../wire/windows.ts';

const NOTHING: PacketContents = {
  isAckEliciting: true,
  acknowledged: [],
  streams: [],
  connectionLimit: null,
  streamLimits: [],
};
const PACKET_BYTES = 1200;

function upTo(end: number, stream = 0, ends = false): PacketContents {
  return { ...NOTHING, streams: [{ stream, end, ends }] };
}

test('finds a window full until its limit is raised', () => {
  const windows = new Windows({ connectionBytes: 10_000, streamBytes: 6000 });
  windows.send(upTo(4800));
  assert.equal(windows.full(PACKET_BYTES), null);
  windows.send(upTo(5000));
  assert.equal(windows.full(PACKET_BYTES), 'stream window');
  windows.raise({ ...NOTHING, streamLimits: [{ stream: 0, limit: 20_000 }] });
  assert.equal(windows.full(PACKET_BYTES), null);
  windows.send(upTo(9500));
  assert.equal(windows.full(PACKET_BYTES), 'receive window');
  windows.raise({ ...NOTHING, connectionLimit: 9000 });
  assert.equal(windows.full(PACKET_BYTES), 'receive window', 'a late frame lowers no limit');
  windows.raise({ ...NOTHING, connectionLimit: 30_000 });
  assert.equal(windows.full(PACKET_BYTES), null);
});

test('counts the room of all unfinished streams, and retransmissions once', () => {
  const windows = new Windows({ connectionBytes: 100_000, streamBytes: 6000 });
  windows.send(upTo(6000, 0));
  windows.send(upTo(1000, 4));
  windows.send(upTo(500, 4));
  assert.equal(windows.full(PACKET_BYTES), null);
  windows.send(upTo(3000, 4, true));
  assert.equal(windows.full(PACKET_BYTES), 'stream window');
  windows.send(upTo(6000, 0, true));
  assert.equal(windows.full(PACKET_BYTES), null, 'nothing is left to send');
});

test('does not take control streams for bodies', () => {
  const windows = new Windows({ connectionBytes: 1000, streamBytes: 1000 });
  windows.send(upTo(1000, 3));
  assert.equal(windows.full(PACKET_BYTES), null);
});

test('counts bytes in flight until they are acknowledged or three later packets are', () => {
  const flight = new Flight();
  for (let number = 0; number < 6; number++) flight.send(number, 100);
  flight.acknowledge([[2, 3]]);
  assert.equal(flight.bytes, 300);
  assert.equal(flight.lostPackets, 1);
  flight.acknowledge([[4, 5]]);
  assert.equal(flight.bytes, 0);
  assert.equal(flight.lostPackets, 2);
  flight.acknowledge([]);
  assert.equal(flight.lostPackets, 2);
});
