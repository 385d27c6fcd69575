import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { OPPORTUNITY_BYTES } from '../../../../ground/records/trace.ts';
import type { LinkDirection } from '../../../../network/agent.ts';
import { MS, packetOf, TestDirection } from './made-link.ts';

const FULL = packetOf(OPPORTUNITY_BYTES);
const folder = mkdtempSync(path.join(tmpdir(), 'quic-vs-https-test-'));
after(() => rmSync(folder, { recursive: true }));

/** A direction with a recorded link of these times. */
function over(timesMs: readonly number[], settings: Partial<LinkDirection> = {}): TestDirection {
  const traceFile = path.join(folder, timesMs.join('-'));
  writeFileSync(traceFile, `${timesMs.join('\n')}\n`);
  return new TestDirection({ traceFile, ...settings });
}

const dueMs = (direction: TestDirection) => direction.leaveAll().map(({ dueNs }) => dueNs / MS);

test('sends a full packet at each time, several at equal ones, and repeats after the last', () => {
  const direction = over([0, 3, 3, 10]);
  for (let number = 0; number < 9; number++) direction.arrive(FULL, 0);
  // The last time of one repetition is the first of the next, whose own time of 0 ms comes after it.
  assert.deepEqual(dueMs(direction), [0, 3, 3, 10, 10, 13, 13, 20, 20]);
});

test('serves the next waiting packet with the rest of an opportunity', () => {
  const direction = over([5, 10, 15]);
  for (const bytes of [500, 999, 15, 20, OPPORTUNITY_BYTES]) direction.arrive(packetOf(bytes), 0);
  // 1,514 bytes in three packets; then 20 and most of a full one, of which the rest has to wait for the one after.
  assert.deepEqual(dueMs(direction), [5, 5, 5, 10, 15]);
});

test('spends several opportunities on a longer packet', () => {
  const direction = over([1, 2, 3, 4]);
  direction.arrive(packetOf(2 * OPPORTUNITY_BYTES + 1), 0);
  direction.arrive(FULL, 0);
  assert.deepEqual(dueMs(direction), [3, 4]);
});

test('loses unused opportunities, and the unused rest of one', () => {
  const direction = over([1, 2, 50]);
  direction.arrive(packetOf(100), 0);
  direction.arrive(packetOf(100), 1 * MS + 1);
  direction.arrive(FULL, 2 * MS + 1);
  direction.arrive(FULL, 49 * MS);
  assert.deepEqual(dueMs(direction), [1, 2, 50, 51]);
});

test('begins a recorded link with the first packet of the load, after any traffic outside it', () => {
  const direction = over([10, 30]);
  assert.ok(direction.arrive(FULL, 0, { ofLoad: false }));
  direction.arrive(FULL, 100 * MS);
  direction.arrive(FULL, 100 * MS);
  assert.deepEqual(dueMs(direction), [110, 130]);
});

test('applies the delay behind the limit', () => {
  const direction = over([10, 20], { delayMs: 7 });
  direction.arrive(FULL, 0);
  assert.deepEqual(dueMs(direction), [17]);
});

test('drops what would exceed the queue in bytes, and frees room at each time', () => {
  const direction = over([10, 20, 30], { queueBytes: 2 * OPPORTUNITY_BYTES });
  for (let number = 0; number < 3; number++) direction.arrive(FULL, 0);
  assert.equal(direction.counts().queueDrops, 1);
  direction.arrive(FULL, 9 * MS);
  assert.equal(direction.counts().queueDrops, 2);
  direction.arrive(FULL, 10 * MS + 1);
  assert.equal(direction.counts().queueDrops, 2);
  assert.deepEqual(dueMs(direction), [10, 20, 30]);
});

test('samples per step capacity, waiting bytes and their time, and that the link was the limit', () => {
  const direction = over([1, 2, 12, 40]);
  for (let number = 0; number < 3; number++) direction.arrive(FULL, 0);
  direction.leaveAll();
  direction.counts(45 * MS);
  const steps = [0, 1, 2, 3, 4].map((step) => direction.sample(step));
  const opportunities = steps.map(({ capacityBytes }) => capacityBytes / OPPORTUNITY_BYTES);
  // Those of 40 ms, 41 ms and 42 ms are in the last one.
  assert.deepEqual(opportunities, [2, 1, 0, 0, 3]);
  assert.deepEqual(
    steps.map(({ busyNs }) => busyNs / MS),
    [10, 2, 0, 0, 0],
  );
  assert.deepEqual(
    steps.map(({ mostQueuedBytes }) => mostQueuedBytes / OPPORTUNITY_BYTES),
    [3, 1, 0, 0, 0],
  );
  assert.deepEqual(
    steps.map(({ mostWaitNs }) => mostWaitNs / MS),
    [12, 2, 0, 0, 0],
  );
});

test('spreads the capacity of a rate evenly, and counts that of a running step so far', () => {
  const direction = new TestDirection({ rateKbps: 8000 });
  direction.counts(25 * MS);
  const capacities = [0, 1, 2].map((step) => direction.sample(step).capacityBytes);
  assert.deepEqual(capacities, [10_000, 10_000, 5000]);
  direction.counts(30 * MS);
  assert.equal(direction.sample(2).capacityBytes, 10_000);
});

test('ends a recorded link with its load', () => {
  const direction = over([1000]);
  direction.begin({}, { nowNs: 5 * MS });
  assert.ok(direction.arrive(FULL, 5 * MS));
});

test('loses not a nanosecond over a day of repetitions', () => {
  const direction = over([1, 86_399_999]);
  direction.arrive(FULL, 0);
  const later = 400 * 86_399_999 * MS;
  direction.arrive(FULL, later + 2 * MS);
  assert.deepEqual(
    direction.leaveAll().map(({ dueNs }) => dueNs),
    [1 * MS, later + 86_399_999 * MS],
  );
});
