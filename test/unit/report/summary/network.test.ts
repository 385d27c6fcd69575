import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkSummaryOf, unseededWarnings } from '../../../../report/summary/network.ts';
import { assertFields } from '../../assert-fields.ts';
import { DELAYED, fixtureRun } from '../fixture-run.ts';

const SLOW = { ...DELAYED, name: 'slow', downKbps: 1000, upKbps: 500, lossPercent: 1 };

test('pools calibrations by the median of their medians with the lowest and the highest', () => {
  const { calibrations } = fixtureRun({ subjects: ['a', 'b', 'c'], networks: [SLOW] });
  const [first, second, third] = calibrations;
  assert.ok(first && second && third);
  for (const [index, calibration] of calibrations.entries()) {
    calibration.udpRttMs.median = [31, 30, 35][index] ?? 0;
    calibration.tcpRttMs.median = [32, 31, 36][index] ?? 0;
    calibration.downKbps = [990, 1010, 980][index] ?? 0;
    calibration.udpProbesLost = index;
  }
  third.upKbps = null;
  first.upKbps = 498;
  second.upKbps = 500;
  const { calibration } = networkSummaryOf(SLOW, 'userspace', calibrations, []);
  assert.deepEqual(calibration, {
    n: 3,
    linkPriorities: ['fifo'],
    isSeeded: true,
    udpRttMs: { median: 31, minimum: 30, maximum: 35 },
    tcpRttMs: { median: 32, minimum: 31, maximum: 36 },
    downKbps: { median: 990, minimum: 980, maximum: 1010 },
    upKbps: { median: 499, minimum: 498, maximum: 500 },
    udpProbes: 150,
    udpProbesLost: 3,
    treatment: null,
  });
});

test('records and warns of losses without a seed, if there are any', () => {
  const seededOf = (condition: typeof SLOW, ...seeds: (boolean | null | undefined)[]) => {
    const { calibrations } = fixtureRun({
      subjects: seeds.map((_, index) => `s${index}`),
      networks: [condition],
    });
    for (const [index, calibration] of calibrations.entries()) {
      const isSeeded = seeds[index];
      if (isSeeded === undefined) delete calibration.isSeeded;
      else calibration.isSeeded = isSeeded;
    }
    const found = networkSummaryOf(condition, 'netem', calibrations, []);
    return [found.calibration.isSeeded, unseededWarnings([found], ['load', 'loads']).length];
  };
  assert.deepEqual(seededOf(SLOW, true), [true, 0]);
  assert.deepEqual(seededOf(SLOW, false), [false, 1]);
  assert.deepEqual(seededOf(SLOW, true, false), [false, 1]);
  assert.deepEqual(seededOf(SLOW, undefined), [null, 0]);
  assert.deepEqual(seededOf({ ...SLOW, lossPercent: 0 }, false), [null, 0]);
  assert.deepEqual(seededOf({ ...SLOW, lossPercent: 0, jitterMs: 2 }, false), [false, 1]);
});

test('reports the UDP treatment over all calibrations that measured it', () => {
  const throttled = { ...DELAYED, udp: { treatment: 'throttled', kbps: 1000 } as const };
  const { calibrations } = fixtureRun({ subjects: ['a', 'b', 'c'], networks: [throttled] });
  for (const [index, calibration] of calibrations.entries()) {
    const seen = { sent: 50, packets: 36, kbps: 990 + 10 * index, offeredKbps: 1500 };
    calibration.udp = {
      ...throttled.udp,
      toServer: seen,
      toClient: { ...seen, kbps: null },
      refusal: index === 0 ? null : 'EHOSTUNREACH',
      tcpKbps: 5000,
    };
  }
  assert.deepEqual(
    networkSummaryOf(throttled, 'userspace', calibrations, []).calibration.treatment,
    {
      sent: 300,
      arrived: 216,
      refusals: ['EHOSTUNREACH'],
      downKbps: null,
      upKbps: { median: 1000, minimum: 990, maximum: 1010 },
      tcpKbps: { median: 5000, minimum: 5000, maximum: 5000 },
    },
  );
});

test("adds up the path's counts over all counted loads, with lost packets as a share of those sent", () => {
  const { observations } = fixtureRun({ subjects: ['a'], networks: [SLOW], repetitions: 1 });
  for (const [index, load] of observations.entries()) {
    const direction = { packets: 94, bytes: 1000, lost: 2, queueDrops: 4 };
    const toClient = { ...direction, lost: 0, udpDropped: 1, cut: 25 };
    load.path =
      index < 2
        ? { toServer: direction, toClient, maxLatenessMs: 4 + 3 * index, linkCpuMs: 9 }
        : null;
  }
  const { path } = networkSummaryOf(SLOW, 'userspace', [], observations);
  const counts = { packets: 188, bytes: 2000, queueDrops: 8 };
  assert.deepEqual(path, {
    nLoads: 2,
    toServer: { ...counts, lost: 4, udpDropped: 0, cut: 0, lostPercent: 2 },
    toClient: { ...counts, lost: 0, udpDropped: 2, cut: 50, lostPercent: 0 },
    maxLatenessMs: 7,
    lateLoads: 1,
  });
});

test('is null, never zero, for what was not measured', () => {
  const { calibration, path } = networkSummaryOf(DELAYED, 'netem', [], []);
  assertFields(calibration, { n: 0, udpRttMs: null, downKbps: null });
  assertFields(path, { 'toClient.lostPercent': null, maxLatenessMs: null, lateLoads: null });
});
