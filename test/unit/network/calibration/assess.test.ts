import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assessCalibration } from '../../../../network/calibration/assess.ts';
import { type Measurement, spreadOf } from '../../../../network/calibration/calibrate.ts';
import type { SeededCondition } from '../../../../network/conditions.ts';
import { calibrationOf, conditionOf, spreadAround } from './example.ts';
import { probes, type Series } from './probes.ts';

function judged(measurement: Measurement, condition: Partial<SeededCondition>) {
  return assessCalibration(measurement, conditionOf(condition));
}

/** Findings about a path whose UDP and TCP probes are made up like this. */
function found(series: Series, condition: Partial<SeededCondition>) {
  const udp = spreadOf(probes(series));
  const tcp = spreadOf(probes({ ...series, count: 20, seed: (series.seed ?? 1) + 1000 }));
  return judged(calibrationOf(0, { udpRttMs: udp, tcpRttMs: tcp }), condition);
}

const QUIET = { wrong: null, late: null };

/** Two of three probes wait for 5 to 60 ms. */
const LATE = { lateShare: 0.67, lateMs: [5, 60] } as const;

for (const requestedMs of [0, 10, 30, 100]) {
  test(`accepts a correct path of ${requestedMs} ms, on a quiet and on a late machine`, () => {
    for (const ownMs of [0.05, 0.3, 0.6]) {
      assert.deepEqual(found({ rttMs: requestedMs + ownMs }, { rttMs: requestedMs }), QUIET);
      const { wrong, late } = found(
        { rttMs: requestedMs + ownMs, ...LATE },
        { rttMs: requestedMs },
      );
      assert.equal(wrong, null);
      assert.match(
        late ?? '',
        /^The path was late when it was measured: a round trip over UDP took/,
      );
    }
  });
}

for (const [set, requestedMs] of [
  [1, 0],
  [31, 30],
  [29, 30],
] as const) {
  test(`rejects a path of ${set} ms when ${requestedMs} ms were requested, on a quiet and on a late machine`, () => {
    for (const ownMs of [0.1, 0.3, 0.6]) {
      const quiet = found({ rttMs: set + ownMs }, { rttMs: requestedMs });
      assert.match(quiet.wrong ?? '', new RegExp(`instead of ${requestedMs} ms `));
    }
    const { wrong, late } = found({ rttMs: set + 0.3, ...LATE }, { rttMs: requestedMs });
    assert.match(wrong ?? '', /the path itself is wrong/);
    assert.ok(late);
  });
}

test('reports a wrong path with both numbers', () => {
  const { wrong } = judged(calibrationOf(40.2), { rttMs: 30 });
  assert.match(
    wrong ?? '',
    /over UDP is 40\.1 ms instead of 30 ms \(minimum of 50 probes of 40\.1 to 41\.2 ms; allowed: 29\.5 to 30\.8 ms\)/,
  );
});

test('does not accept a steady path because of one fast probe', () => {
  const udpRttMs = spreadAround(33, { minimum: 30.2 });
  const { wrong } = judged(calibrationOf(30.2, { udpRttMs }), { rttMs: 30 });
  assert.match(wrong ?? '', /lower quartile of 50 probes/);
});

test('allows a 99th percentile to be late by 5 ms, or by 10 % if that is more', () => {
  const late = (p99: number) =>
    judged(calibrationOf(30.2, { udpRttMs: spreadAround(30.2, { p99 }) }), { rttMs: 30 }).late;
  assert.equal(late(34.9), null);
  assert.match(late(35.1) ?? '', /35\.1 ms \(99th percentile of 50; at most 35 ms/);
});

test('allows a median to be late by 1 ms, or by 5 % if that is more', () => {
  const late = (requestedMs: number, median: number) => {
    const udpRttMs = spreadAround(median, {
      minimum: requestedMs + 0.1,
      p25: requestedMs + 0.2,
      p90: median + 2,
    });
    return judged(calibrationOf(requestedMs, { udpRttMs }), { rttMs: requestedMs }).late;
  };
  assert.equal(late(0, 0.99), null);
  assert.match(late(0, 1.05) ?? '', /took 1\.05 ms \(median of 50; at most 1 ms/);
  assert.equal(late(100, 104.9), null);
  assert.ok(late(100, 105.1));
});

test('assesses UDP and TCP separately', () => {
  const slowTcp = calibrationOf(30.2, { tcpRttMs: spreadAround(45, { count: 20 }) });
  assert.match(judged(slowTcp, { rttMs: 30 }).wrong ?? '', /round trip over TCP/);
  const tcpRttMs = spreadAround(45, { count: 20, minimum: 30.2, p25: 31, p90: 60 });
  const { wrong, late } = judged(calibrationOf(30.2, { tcpRttMs }), { rttMs: 30 });
  assert.equal(wrong, null);
  assert.match(late ?? '', /over TCP took 45 ms/);
});

test('allows a packet its own transmission time at a limited rate, as token buckets differ', () => {
  // 55 bytes at 50 kbit/s are 8.8 ms.
  const condition = { rttMs: 30, upKbps: 50 };
  const rate = { upKbps: 50, upOfferedKbps: 75, upPausedPercent: 0 };
  assert.deepEqual(judged(calibrationOf(39, rate), condition), QUIET);
  assert.deepEqual(judged(calibrationOf(30.2, rate), condition), QUIET);
  assert.ok(judged(calibrationOf(42, rate), condition).wrong);
});

test('detects a wrong path despite jitter', () => {
  const condition = { rttMs: 30, jitterMs: 10 };
  for (let seed = 1; seed <= 200; seed++) {
    assert.deepEqual(found({ rttMs: 30.3, jitterMs: 10, seed }, condition), QUIET);
    assert.equal(found({ rttMs: 30.3, jitterMs: 10, seed, ...LATE }, condition).wrong, null);
    assert.ok(found({ rttMs: 50.3, jitterMs: 10, seed }, condition).wrong, `${seed}`);
    assert.ok(found({ rttMs: 15.3, jitterMs: 10, seed }, condition).wrong, `${seed}`);
    assert.ok(found({ rttMs: 36.3, jitterMs: 2, seed }, { rttMs: 30, jitterMs: 2 }).wrong);
  }
});

test('assesses TCP by its fastest probe under heavy loss, since retransmissions delay the rest', () => {
  const condition = { rttMs: 30, lossPercent: 20 };
  const tcpRttMs = spreadAround(150, { minimum: 30.7, p25: 90, count: 20 });
  assert.deepEqual(judged(calibrationOf(30.3, { tcpRttMs }), condition), QUIET);
  const slow = { tcpRttMs: { ...tcpRttMs, minimum: 60 } };
  assert.match(judged(calibrationOf(30.3, slow), condition).wrong ?? '', /minimum of 20 probes/);
});

/** A path of 10 Mbit/s towards the browser as it was measured. */
function rated(downKbps: number | null, downPausedPercent = 0, downOfferedKbps = 15_000) {
  const rate = { downKbps, downPausedPercent, downOfferedKbps };
  return judged(calibrationOf(0.3, rate), { downKbps: 10_000 });
}

test('accepts a rate within 5 %, and rejects it beyond on a quiet machine', () => {
  assert.deepEqual(rated(9_600), QUIET);
  assert.deepEqual(rated(10_400), QUIET);
  assert.match(rated(12_000).wrong ?? '', /10000 kbit\/s towards the browser, it is 12000 kbit\/s/);
  assert.match(rated(9_000).wrong ?? '', /the path itself is wrong/);
  assert.match(rated(null).wrong ?? '', /too few packets/);
});

test('calls a rate late that pauses explain, and wrong otherwise', () => {
  assert.match(rated(8_000, 10).late ?? '', /8000 kbit\/s .* with 10 % of the time in pauses/);
  assert.equal(rated(8_000, 10).wrong, null);
  assert.ok(rated(7_000, 10).wrong);
  // A pause at the beginning bends the line the opposite way, by less.
  assert.ok(rated(11_000, 20).late);
  assert.ok(rated(11_000, 10).wrong);
  assert.ok(rated(20_000, 40).wrong);
});

test('reports a machine that cannot send enough', () => {
  const rate = { upKbps: 600_000, upOfferedKbps: 601_000, upPausedPercent: 1 };
  const { wrong } = judged(calibrationOf(0.3, rate), { upKbps: 1_000_000 });
  assert.match(wrong ?? '', /towards the servers/);
  assert.match(wrong ?? '', /cannot send faster/);
});
