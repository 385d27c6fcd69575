import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InFlight } from '../../../../packets/connections/in-flight.ts';

function sender(...sentMs: readonly number[]): InFlight {
  const inFlight = new InFlight();
  for (const [number, atMs] of sentMs.entries()) {
    inFlight.send('application', number, { bytes: 1000 + number, atMs });
  }
  return inFlight;
}

test('counts sent bytes in flight until they are acknowledged, once', () => {
  const inFlight = sender(0, 1, 2);
  assert.deepEqual([inFlight.bytes, inFlight.packets], [3003, 3]);
  assert.equal(inFlight.acknowledge('application', [[1, 2]], 30, 0), true);
  assert.deepEqual([inFlight.bytes, inFlight.packets], [1000, 1]);
  assert.equal(inFlight.acknowledge('application', [[1, 2]], 31, 0), false);
  assert.equal(inFlight.acknowledge('handshake', [[0, 0]], 31, 0), false, 'of another space');
  assert.deepEqual([inFlight.bytes, inFlight.packets], [1000, 1]);
});

test('calls a packet lost when the third after it is acknowledged', () => {
  const inFlight = sender(0, 1, 2, 3, 4);
  inFlight.acknowledge('application', [[2, 2]], 30, 0);
  assert.equal(inFlight.packets, 4);
  inFlight.acknowledge('application', [[2, 3]], 31, 0);
  assert.equal(inFlight.packets, 2, '1 may still come, 4 was sent later');
});

test('has nothing in flight in a discarded space', () => {
  const inFlight = sender(0, 1);
  inFlight.send('initial', 0, { bytes: 1200, atMs: 0 });
  inFlight.discard('application');
  assert.deepEqual([inFlight.bytes, inFlight.packets], [1200, 1]);
});

test("smooths round trips as in RFC 9002, without the peer's delay", () => {
  const inFlight = sender(0, 100, 200, 300);
  inFlight.acknowledge('application', [[0, 0]], 30, 0);
  assert.deepEqual(inFlight.roundTrip, {
    latestMs: 30,
    minMs: 30,
    smoothedMs: 30,
    varianceMs: 15,
  });
  inFlight.acknowledge('application', [[0, 1]], 146, 8);
  assert.deepEqual(inFlight.roundTrip, {
    latestMs: 46,
    minMs: 30,
    smoothedMs: (7 / 8) * 30 + (1 / 8) * 38,
    varianceMs: (3 / 4) * 15 + (1 / 4) * 8,
  });
  // Never below the minimum.
  inFlight.acknowledge('application', [[0, 2]], 232, 25);
  assert.equal(inFlight.roundTrip?.smoothedMs, (7 / 8) * 31 + (1 / 8) * 32);
});
