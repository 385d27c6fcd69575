import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransferResult } from '../../../../clients/transfer-client.ts';
import { arrivalsOf, longestSilenceMs, startOrders, stepBytesOf } from '../../arrivals.ts';
import { countedSpanOf, sharingOf, timeToFairMs } from '../../sharing.ts';
import { madeUpFlow, steps } from './made-up-flow.ts';

/** A flow that ran until its last step. */
function arrivals(made: TransferResult) {
  return arrivalsOf(made, { zeroMs: 1_000_000, durationMs: made.lastByteMs ?? 0 });
}

/** The time to a fair share, until the first flow ended. */
function fairMsOf(flows: ReturnType<typeof flowsOf>): number | null {
  return timeToFairMs(flows, countedSpanOf(flows, 0));
}

/** Flows with these bytes in each step, all requested at once. */
function flowsOf(...flows: readonly (readonly number[])[]) {
  return flows.map((stepBytes) => arrivals(madeUpFlow({ stepBytes })));
}

test('counts only the time in which all flows are active', () => {
  const early = madeUpFlow({ stepBytes: steps(150, 20_000) });
  const late = madeUpFlow({ requestedAtMs: 1_005_000, stepBytes: steps(100, 10_000) });
  const flows = [early, late].map(arrivals);
  const counted = countedSpanOf(flows, 10_000);
  assert.deepEqual(counted, { fromMs: 6_000, untilMs: 15_100 });
  const { goodputsKbps, totalKbps, jain } = sharingOf(flows, counted);
  assert.deepEqual(goodputsKbps.map(Math.round), [1_600, 800]);
  assert.equal(Math.round(totalKbps), 2_400);
  assert.ok(jain !== null && Math.abs(jain - 0.9) < 1e-9, String(jain));
});

test('calls constantly equal flows fair at once', () => {
  const flows = flowsOf(steps(60, 1_000), steps(60, 1_000), steps(60, 1_000));
  assert.equal(fairMsOf(flows), 0);
});

test('begins to count after a tenth of the duration, at least a second, from the last request', () => {
  const flows = [100, 2_500].map((firstByteMs) =>
    arrivals(madeUpFlow({ firstByteMs, stepBytes: steps(300, 1_000) })),
  );
  const fromMs = [5_000, 30_000].map((durationMs) => countedSpanOf(flows, durationMs).fromMs);
  assert.deepEqual(fromMs, [1_000, 3_000]);
  const { goodputsKbps } = sharingOf(flows, { fromMs: 1_000, untilMs: 4_000 });
  const [early, late] = goodputsKbps.map(Math.round);
  assert.equal(early, 80);
  assert.ok(late !== undefined && late < 50, `a flow that waits for its first byte has ${late}`);
});

test('adds the goodputs of all flows up to the rate of a full link', () => {
  const linkBytes = 125_000;
  const one = steps(100, 0).map((_, step) => (step % 7) * 20_000);
  const flows = flowsOf(
    one,
    one.map((bytes) => linkBytes - bytes),
  );
  for (const durationMs of [2_000, 10_050]) {
    const { fromMs } = countedSpanOf(flows, durationMs);
    const { totalKbps } = sharingOf(flows, { fromMs, untilMs: 8_130 });
    assert.ok(totalKbps <= 10_000 + 1e-6 && totalKbps > 9_990, String(totalKbps));
  }
});

test('calls shares fair from when they stay near to each other, not from when they first meet', () => {
  const first = [
    ...steps(20, 3_000),
    ...steps(10, 2_000),
    ...steps(10, 3_000),
    ...steps(80, 2_000),
  ];
  const second = first.map((bytes) => 4_000 - bytes);
  const flows = flowsOf(first, second);
  const fairMs = fairMsOf(flows);
  // A second of which at most four tenths are unfair is within 20 %: 4 s less 0.4 s until 4 s less 0.3 s.
  assert.ok(fairMs !== null && fairMs >= 3_600 && fairMs <= 4_000, String(fairMs));
});

test('has no time to a fair share for shares that are never near to each other, or for less than 5 s', () => {
  for (const flows of [
    flowsOf(steps(200, 3_000), steps(200, 1_000)),
    flowsOf(steps(45, 1_000), steps(45, 1_000)),
  ]) {
    assert.equal(fairMsOf(flows), null);
  }
});

test('orders flows by their starts, not by their plan', () => {
  assert.deepEqual(startOrders([{ beganMs: 113.6 }, { beganMs: 0 }, { beganMs: 20 }]), [3, 1, 2]);
  assert.deepEqual(startOrders([{ beganMs: 0 }, { beganMs: 0 }]), [1, 2]);
});

test('counts bytes in the step of their arrival, and loses none between two steps', () => {
  const [flow] = flowsOf([500, 0, 0, 300]);
  assert.ok(flow);
  const found = stepBytesOf(flow);
  assert.equal(found.length, 5);
  assert.equal(
    found.reduce((sum, each) => sum + each, 0),
    800,
  );
  assert.equal(found[1], 500);
});

test('measures silence as the longest time without a byte, also at the end', () => {
  const silenceOf = (stepBytes: number[]) => {
    const made = madeUpFlow({ stepBytes });
    const { beganMs, endMs } = arrivals(made);
    return longestSilenceMs({ beganMs, series: made.series }, [100, endMs]);
  };
  assert.equal(silenceOf(steps(20, 10)), 100);
  assert.equal(silenceOf([...steps(5, 10), ...steps(9, 0), ...steps(5, 10)]), 1_000);
  assert.equal(silenceOf([...steps(5, 10), ...steps(30, 0)]), 3_000);
});

test('counts the silence of a stalled flow as a part of its time, not its end', () => {
  const made = madeUpFlow({ stepBytes: steps(20, 1_000) });
  const flow = arrivalsOf(made, { zeroMs: 1_000_000, durationMs: 8_000 });
  assert.equal(flow.endMs, 8_000);
  assert.deepEqual(countedSpanOf([flow], 8_000), { fromMs: 1_000, untilMs: 8_000 });
  assert.equal(stepBytesOf(flow).length, 80);
  assert.equal(longestSilenceMs({ beganMs: 0, series: made.series }, [100, 8_000]), 8_000 - 2_100);
});
