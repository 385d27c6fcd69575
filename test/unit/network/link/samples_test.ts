import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MS, PACKET, TestDirection } from './made-link.ts';

const STEP_NS = 10 * MS;

test('counts packets in the step in which they left, lost and dropped ones in that in which they came', () => {
  const direction = new TestDirection({ delayMs: 15, queueBytes: 1500 });
  direction.arrive(PACKET, 0);
  direction.arrive(PACKET, 3 * STEP_NS - 1);
  direction.leaveAll();
  assert.equal(direction.sample(0).packets, 0);
  assert.deepEqual([direction.sample(1).packets, direction.sample(1).bytes], [1, 1500]);
  assert.equal(direction.sample(2).queueDrops, 1);
  direction.begin({ lossPercent: 100 });
  direction.arrive(PACKET, STEP_NS);
  assert.equal(direction.sample(1).lost, 1);
});

test('has the total counts over all steps', () => {
  const direction = new TestDirection({ rateKbps: 10_000, queueBytes: 30_000, lossPercent: 10 });
  for (let number = 0; number < 300; number++) direction.arrive(PACKET, (number * MS) / 2);
  direction.leaveAll();
  const counts = direction.counts();
  const samples = Array.from({ length: direction.steps() }, (_, step) => direction.sample(step));
  for (const name of ['packets', 'bytes', 'lost', 'queueDrops'] as const) {
    assert.ok(counts[name] > 0);
    assert.equal(
      samples.reduce((sum, sample) => sum + sample[name], 0),
      counts[name],
    );
  }
});

test('reports a link as busy exactly while it sends', () => {
  const direction = new TestDirection({ rateKbps: 10_000 });
  // 24 ms for 20 packets.
  for (let number = 0; number < 20; number++) direction.arrive(PACKET, 0);
  const busyMs = [0, 1, 2, 3].map((step) => direction.sample(step).busyNs / MS);
  assert.deepEqual(busyMs, [10, 10, 4, 0]);
});

test('samples the queue also without arrivals, as the maximum of its step', () => {
  const direction = new TestDirection({ rateKbps: 10_000 });
  for (let number = 0; number < 20; number++) direction.arrive(PACKET, 0);
  direction.counts(4 * STEP_NS);
  const queued = [0, 1, 2, 3].map((step) => direction.sample(step).mostQueuedBytes);
  // 12,500 bytes are sent in a step.
  assert.deepEqual(queued, [30_000, 17_500, 5000, 0]);
});

test('samples a queue that grows within a step, and keeps the one before it', () => {
  const direction = new TestDirection({ rateKbps: 10_000 });
  for (let number = 0; number < 20; number++) direction.arrive(PACKET, 0);
  direction.arrive(PACKET, STEP_NS + 1_200_000);
  assert.deepEqual(
    [1, 2].map((step) => direction.sample(step).mostQueuedBytes),
    [17_500, 0],
  );
  for (let number = 0; number < 2; number++) direction.arrive(PACKET, STEP_NS + 1_200_000);
  assert.equal(direction.sample(1).mostQueuedBytes, 17_500 - 1500 + 4500);
});

test('never exceeds the limit of the queue', () => {
  const direction = new TestDirection({ rateKbps: 10_000, queueBytes: 20_000 });
  for (let number = 0; number < 1000; number++) direction.arrive(PACKET, number * 300_000);
  const queued = Array.from({ length: 30 }, (_, step) => direction.sample(step).mostQueuedBytes);
  assert.ok(Math.max(...queued) <= 20_000);
  assert.ok(Math.min(...queued) > 18_000);
});

test('reports nothing busy or queued without a rate', () => {
  const direction = new TestDirection({ delayMs: 5 });
  direction.arrive(PACKET, 0);
  direction.counts(STEP_NS);
  assert.deepEqual([direction.sample(0).busyNs, direction.sample(0).mostQueuedBytes], [0, 0]);
});

test('begins a load with empty samples, at its own time', () => {
  const direction = new TestDirection({ rateKbps: 10_000 });
  for (let number = 0; number < 20; number++) direction.arrive(PACKET, 5 * STEP_NS);
  direction.begin({ rateKbps: 10_000 }, { nowNs: 6 * STEP_NS });
  assert.equal(direction.steps(), 0);
  for (let step = 0; step < 10; step++) assert.equal(direction.sample(step).busyNs, 0);
  // It was read a little after it came.
  direction.arrive(PACKET, 6 * STEP_NS - 1000);
  assert.equal(direction.sample(0).busyNs > 0, true);
});

test('counts packets after the last step, without a sample', () => {
  const direction = new TestDirection({ rateKbps: 10_000 });
  direction.arrive(PACKET, 60_000 * STEP_NS - 1);
  direction.leaveAll();
  direction.arrive(PACKET, 70_000 * STEP_NS);
  direction.leaveAll();
  assert.equal(direction.counts(80_000 * STEP_NS).packets, 2);
  assert.equal(direction.steps(), 60_000);
  assert.deepEqual([direction.sample(59_999).busyNs, direction.sample(59_999).packets], [1, 0]);
});
