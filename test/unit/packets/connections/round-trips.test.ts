import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unacknowledged } from '../../../../packets/connections/acknowledgement.ts';
import { RoundTrips } from '../../../../packets/connections/connection-reader.ts';

test('adds the paths to both ends up to a round trip', () => {
  const trips = new RoundTrips();
  assert.equal(trips.figures(), null);
  for (const ms of [20, 22, 28]) trips.add('server', ms);
  for (const ms of [9, 5]) trips.add('client', ms);
  assert.deepEqual(trips.figures(), {
    least: 25,
    median: 27,
    p95: 32.4,
    samples: 3,
    clientLeast: 5,
  });
});

test('takes the client as the far side in a capture near the server', () => {
  const trips = new RoundTrips();
  trips.add('server', 0.5);
  for (const ms of [31, 30]) trips.add('client', ms);
  assert.deepEqual(trips.figures(), {
    least: 30.5,
    median: 31,
    p95: 31.45,
    samples: 2,
    clientLeast: 30,
  });
});

test("takes one side alone as the capture's own, without a round trip", () => {
  for (const side of ['client', 'server'] as const) {
    const trips = new RoundTrips();
    trips.add(side, 0.046);
    assert.equal(trips.figures(), null);
  }
});

test('knows the send time of a number sent once, and forgets earlier ones', () => {
  const waiting = new Unacknowledged();
  for (const [number, ms] of [
    [100, 1],
    [200, 2],
    [300, 3],
  ] as const)
    waiting.send(number, ms);
  assert.equal(waiting.acknowledge(200), 2);
  assert.equal(waiting.acknowledge(200), null);
  assert.equal(waiting.acknowledge(100), null);
  assert.equal(waiting.acknowledge(250), null);
  assert.equal(waiting.acknowledge(300), 3);
});

test('does not know the send time of a retransmission', () => {
  const waiting = new Unacknowledged();
  waiting.send(100, 1);
  waiting.send(100, 50);
  waiting.send(200, null);
  waiting.send(200, 60);
  assert.deepEqual([waiting.acknowledge(100), waiting.acknowledge(200)], [null, null]);
});

test('drops what is never acknowledged', () => {
  const waiting = new Unacknowledged();
  for (let number = 1; number <= 10_001; number++) waiting.send(number, number);
  assert.equal(waiting.acknowledge(1), null);
  assert.equal(waiting.acknowledge(2), 2);
});
