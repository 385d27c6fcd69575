import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MS, PACKET, TestDirection } from './made-link.ts';

const STEP_NS = 10 * MS;

test('counts packets in the step in which they left, lost and dropped ones in that in which they came', () => {
  const way = new TestDirection({ delayMs: 15, queueBytes: 1500 });
  way.arrive(PACKET, 0);
  way.arrive(PACKET, 3 * STEP_NS - 1);
  way.leaveAll();
  assert.equal(way.sample(0).packets, 0);
  assert.deepEqual([way.sample(1).packets, way.sample(1).bytes], [1, 1500]);
  assert.equal(way.sample(2).queueDrops, 1);
  way.begin({ lossPercent: 100 });
  way.arrive(PACKET, STEP_NS);
  assert.equal(way.sample(1).lost, 1);
});

test('has the total counts over all steps', () => {
  const way = new TestDirection({ rateKbps: 10_000, queueBytes: 30_000, lossPercent: 10 });
  for (let number = 0; number < 300; number++) way.arrive(PACKET, (number * MS) / 2);
  way.leaveAll();
  const counts = way.counts();
  const samples = Array.from({ length: way.steps() }, (_, step) => way.sample(step));
  for (const name of ['packets', 'bytes', 'lost', 'queueDrops'] as const) {
    assert.ok(counts[name] > 0);
    assert.equal(
      samples.reduce((sum, sample) => sum + sample[name], 0),
      counts[name],
    );
  }
});

test('reports a link as busy exactly while it sends', () => {
  const way = new TestDirection({ rateKbps: 10_000 });
  // 24 ms for 20 packets.
  for (let number = 0; number < 20; number++) way.arrive(PACKET, 0);
  const busyMs = [0, 1, 2, 3].map((step) => way.sample(step).busyNs / MS);
  assert.deepEqual(busyMs, [10, 10, 4, 0]);
});

test('samples the queue also without arrivals, as the maximum of its step', () => {
  const way = new TestDirection({ rateKbps: 10_000 });
  for (let number = 0; number < 20; number++) way.arrive(PACKET, 0);
  way.counts(4 * STEP_NS);
  const queued = [0, 1, 2, 3].map((step) => way.sample(step).mostQueuedBytes);
  // 12,500 bytes are sent in a step.
  assert.deepEqual(queued, [30_000, 17_500, 5000, 0]);
});

test('samples a queue that grows within a step, and keeps the one before it', () => {
  const way = new TestDirection({ rateKbps: 10_000 });
  for (let number = 0; number < 20; number++) way.arrive(PACKET, 0);
  way.arrive(PACKET, STEP_NS + 1_200_000);
  assert.deepEqual(
    [1, 2].map((step) => way.sample(step).mostQueuedBytes),
    [17_500, 0],
  );
  for (let number = 0; number < 2; number++) way.arrive(PACKET, STEP_NS + 1_200_000);
  assert.equal(way.sample(1).mostQueuedBytes, 17_500 - 1500 + 4500);
});

test('never exceeds the limit of the queue', () => {
  const way = new TestDirection({ rateKbps: 10_000, queueBytes: 20_000 });
  for (let number = 0; number < 1000; number++) way.arrive(PACKET, number * 300_000);
  const queued = Array.from({ length: 30 }, (_, step) => way.sample(step).mostQueuedBytes);
  assert.ok(Math.max(...queued) <= 20_000);
  assert.ok(Math.min(...queued) > 18_000);
});

test('reports nothing busy or queued without a rate', () => {
  const way = new TestDirection({ delayMs: 5 });
  way.arrive(PACKET, 0);
  way.counts(STEP_NS);
  assert.deepEqual([way.sample(0).busyNs, way.sample(0).mostQueuedBytes], [0, 0]);
});

test('begins a load with empty samples, at its own time', () => {
  const way = new TestDirection({ rateKbps: 10_000 });
  for (let number = 0; number < 20; number++) way.arrive(PACKET, 5 * STEP_NS);
  way.begin({ rateKbps: 10_000 }, { nowNs: 6 * STEP_NS });
  assert.equal(way.steps(), 0);
  for (let step = 0; step < 10; step++) assert.equal(way.sample(step).busyNs, 0);
  // It was read a little after it came.
  way.arrive(PACKET, 6 * STEP_NS - 1000);
  assert.equal(way.sample(0).busyNs > 0, true);
});

test('counts packets after the last step, without a sample', () => {
  const way = new TestDirection({ rateKbps: 10_000 });
  way.arrive(PACKET, 60_000 * STEP_NS - 1);
  way.leaveAll();
  way.arrive(PACKET, 70_000 * STEP_NS);
  way.leaveAll();
  assert.equal(way.counts(80_000 * STEP_NS).packets, 2);
  assert.equal(way.steps(), 60_000);
  assert.deepEqual([way.sample(59_999).busyNs, way.sample(59_999).packets], [1, 0]);
});
