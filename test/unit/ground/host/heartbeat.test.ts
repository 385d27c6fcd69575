import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clocks, startHeartbeat } from '../../../../ground/host/heartbeat.ts';

/** Clocks that a test sets. */
function fakeClocks() {
  const at = { monotonicMs: 5_000, wallMs: 1_700_000_000_000 };
  let beat = () => {};
  const clocks: Clocks = {
    monotonicMs: () => at.monotonicMs,
    wallMs: () => at.wallMs,
    every(_intervalMs, called) {
      beat = called;
      return () => {
        beat = () => {};
      };
    },
  };
  return {
    clocks,
    pass(monotonicMs: number, wallMs = monotonicMs) {
      at.monotonicMs += monotonicMs;
      at.wallMs += wallMs;
      beat();
    },
  };
}

test('reports nothing for beats in time', () => {
  const { clocks, pass } = fakeClocks();
  const heartbeat = startHeartbeat(clocks);
  for (let beats = 0; beats < 50; beats++) pass(100);
  assert.deepEqual(heartbeat.end(), { longestStallMs: 0, clocksApartMs: 0 });
});

test('reports from the latest beat how long the machine stood still', () => {
  const { clocks, pass } = fakeClocks();
  const heartbeat = startHeartbeat(clocks);
  for (const ms of [100, 150, 2_100, 100]) pass(ms);
  assert.deepEqual(heartbeat.end(), { longestStallMs: 2_000, clocksApartMs: 0 });
});

test('detects at the end a stall that has not ended yet', () => {
  const { clocks } = fakeClocks();
  let nowMs = 0;
  const heartbeat = startHeartbeat({ ...clocks, monotonicMs: () => nowMs, wallMs: () => nowMs });
  nowMs = 1_600;
  assert.equal(heartbeat.end().longestStallMs, 1_500);
});

test('detects a clock that was set, or that ran on while the second one was suspended, also when it comes back', () => {
  for (const jumpMs of [3_600_000, -700]) {
    const { clocks, pass } = fakeClocks();
    const heartbeat = startHeartbeat(clocks);
    pass(100);
    pass(100, 100 + jumpMs);
    pass(100, 100 - jumpMs);
    assert.deepEqual(heartbeat.end(), { longestStallMs: 0, clocksApartMs: Math.abs(jumpMs) });
  }
});

test("finds the machine's own clocks in step", async () => {
  const heartbeat = startHeartbeat();
  await new Promise((resolve) => setTimeout(resolve, 250));
  const { clocksApartMs } = heartbeat.end();
  assert.ok(clocksApartMs < 100, `${clocksApartMs} ms apart`);
});
