import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeMs } from '../../../../ground/host/machine-watch.ts';
import { processes } from './example.ts';

const all = () => true;

test('counts only what members used since the first sample', () => {
  const before = processes([1, 0, { cpuMs: 5000 }], [2, 1, { cpuMs: 100 }], [3, 1, { cpuMs: 7 }]);
  const after = processes([1, 0, { cpuMs: 5010 }], [2, 1, { cpuMs: 130 }], [3, 1, { cpuMs: 900 }]);
  assert.equal(cpuTimeMs(before, after, all), 10 + 30 + 893);
  assert.equal(
    cpuTimeMs(before, after, (pid) => pid !== 3),
    40,
  );
});

test('counts a process that was started in between in full', () => {
  assert.equal(cpuTimeMs(processes([1, 0]), processes([1, 0], [2, 1, { cpuMs: 60 }]), all), 60);
});

test("counts a child that was started and ended in between by its parent's total", () => {
  const before = processes([1, 0], [2, 1, { endedChildrenCpuMs: 1000 }]);
  const after = processes([1, 0], [2, 1, { endedChildrenCpuMs: 1250 }]);
  assert.equal(cpuTimeMs(before, after, all), 250);
});

test('does not count what a process had used before the first sample when it ends', () => {
  const before = processes([1, 0], [2, 1], [3, 2, { cpuMs: 60_000, endedChildrenCpuMs: 500 }]);
  const after = processes([1, 0], [2, 1, { endedChildrenCpuMs: 60_540 }]);
  assert.equal(cpuTimeMs(before, after, all), 40);
});

test('assigns the time of a family that ends to the nearest ancestor that is left', () => {
  const before = processes([1, 0], [2, 1, { cpuMs: 200 }], [3, 2, { cpuMs: 60_000 }]);
  const after = processes([1, 0, { endedChildrenCpuMs: 60_230 }]);
  assert.equal(cpuTimeMs(before, after, all), 30);
});

test('does not count an ended process of the run as the work of its reaper', () => {
  const before = processes([1, 0], [7, 1, { cpuMs: 9000 }]);
  const after = processes([1, 0, { endedChildrenCpuMs: 9000 }]);
  assert.equal(
    cpuTimeMs(before, after, (pid) => pid !== 7),
    0,
  );
});

test('takes nothing away from other processes for one that was never reaped', () => {
  const before = processes([1, 0], [2, 1, { cpuMs: 100 }], [3, 2, { cpuMs: 60_000 }]);
  // The 20 ms belong to another child.
  const after = processes([1, 0], [2, 1, { cpuMs: 150, endedChildrenCpuMs: 20 }]);
  assert.equal(cpuTimeMs(before, after, all), 50);
});
