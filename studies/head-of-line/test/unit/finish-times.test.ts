import assert from 'node:assert/strict';
import { test } from 'node:test';
import { losesPackets } from '../../../../ground/records/dimensions.ts';
import type { Observation } from '../../../../ground/records/observation.ts';
import { NOTHING_ADDED } from '../../../../network/conditions.ts';
import { assertFields } from '../../../../test/unit/assert-fields.ts';
import { apartFromLosses, delaysOf } from '../../finish-times.ts';

const RTT_MS = 100;

function load(block: number, finishMs: (number | null)[] | null | undefined): Observation {
  return { block, details: { finishMs } } as unknown as Observation;
}

test('calls objects delayed that come later by more than half a round trip than in the load of the same block', () => {
  const whole = [load(1, [300, 310, 320]), load(2, [400, 410, 420])];
  const lossy = [load(1, [300, 420, 371]), load(2, [449, 520, 430])];
  const delays = delaysOf(lossy, whole, RTT_MS);
  // Two of the first block, one of the second.
  assertFields(delays, { 'delayed.estimate': 1.5, pairs: 2 });
  // 80.5 is the middle of 110 and 51, and 110.
  assertFields(delays, { 'delayMs.estimate': (80.5 + 110) / 2, 'lastDelayMs.estimate': 100 });
});

test('has in a curve the median time of the first object, of the second, and so on', () => {
  const loads = [
    [30, 10, 20],
    [11, 23, 33],
    [12, null, 21],
  ].map((finishMs, block) => load(block, finishMs));
  assert.deepEqual(delaysOf(loads, loads, RTT_MS)?.finishMs.lossy, [11, 21, 31.5]);
});

test('has blocks without a partner in curves but not in pairs, and loads without times in neither', () => {
  const delays = delaysOf([load(1, [10]), load(2, [50]), load(3, null)], [load(1, [9])], RTT_MS);
  assertFields(delays, { pairs: 1, 'finishMs.lossy': [30] });
  assert.equal(delaysOf([load(1, undefined)], [load(1, [9])], RTT_MS), null);
  const apart = delaysOf([load(1, [10])], [load(2, [9])], RTT_MS);
  assert.deepEqual([apart?.pairs, apart?.delayed, apart?.lastDelayMs], [0, null, null]);
});

test('matches conditions that differ only in their losses', () => {
  const lossy = { ...NOTHING_ADDED, name: 'lossy', lossPercent: 1 };
  const numbered = { ...NOTHING_ADDED, name: 'numbered', lostPacket: 7 };
  assert.deepEqual([lossy, numbered, NOTHING_ADDED].map(losesPackets), [true, true, false]);
  for (const other of [lossy, numbered]) {
    assert.equal(apartFromLosses(other), apartFromLosses(NOTHING_ADDED));
  }
  const slower = { ...NOTHING_ADDED, rttMs: 10 };
  assert.notEqual(apartFromLosses(slower), apartFromLosses(NOTHING_ADDED));
  const blocked = { ...NOTHING_ADDED, udp: { treatment: 'blocked', kbps: null } } as const;
  assert.notEqual(apartFromLosses(blocked), apartFromLosses(NOTHING_ADDED));
});
