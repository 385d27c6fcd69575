import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disturbanceText, INTERFERENCE_RULE } from '../../../../ground/host/interference-rule.ts';
import type { MachineUse } from '../../../../ground/records/machine-use.ts';

const QUIET: MachineUse = {
  loadAverage1m: 0.2,
  availableMemoryMb: 4000,
  cpuPressurePercent: 3,
  stealPercent: 0,
  otherCpuPercent: 2,
  serverCpuMs: 20,
  clientCpuMs: 400,
  runnerCpuMs: 30,
  udpReceiveBufferErrors: 0,
};

test('finds no disturbance on a quiet machine', () => {
  assert.equal(disturbanceText(QUIET, INTERFERENCE_RULE), null);
});

test("does not count a load's own work as a disturbance", () => {
  const use = {
    ...QUIET,
    loadAverage1m: 30,
    cpuPressurePercent: 100,
    serverCpuMs: 9000,
    clientCpuMs: 20_000,
    runnerCpuMs: 3000,
    udpReceiveBufferErrors: 500,
  };
  assert.equal(disturbanceText(use, INTERFERENCE_RULE), null);
});

test('reports each exceeded limit with the value, and accepts the limit itself', () => {
  const rule = { otherCpuPercent: 25, stealPercent: 5, availableMemoryMb: 256 };
  const found = (use: Partial<MachineUse>) => disturbanceText({ ...QUIET, ...use }, rule);
  assert.equal(
    found({ otherCpuPercent: 57.25 }),
    'The machine was disturbed: other programs took 57.3 % of a core (limit 25 %).',
  );
  assert.match(
    found({ stealPercent: 12.34 }) ?? '',
    /took 12\.3 % of the cores' time \(limit 5 %\)/,
  );
  assert.match(found({ availableMemoryMb: 255.9 }) ?? '', /only 255 MB .* \(limit 256 MB\)/);
  assert.equal(found({ otherCpuPercent: 25, stealPercent: 5, availableMemoryMb: 256 }), null);
});

test('joins several disturbances in one sentence', () => {
  const text = disturbanceText(
    { ...QUIET, otherCpuPercent: 80, stealPercent: 20 },
    INTERFERENCE_RULE,
  );
  assert.match(
    text ?? '',
    /^The machine was disturbed: other programs .*; other virtual machines .*\.$/,
  );
});

test('finds no disturbance if the kernel reports no steal', () => {
  assert.equal(disturbanceText({ ...QUIET, stealPercent: null }, INTERFERENCE_RULE), null);
});
