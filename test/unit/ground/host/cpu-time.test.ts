import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeMs } from '../../../../ground/host/machine-watch.ts';
import { processes } from './example.ts';

const all = () => true;

test('only what members took since the first look is counted', () => {
  const before = processes([1, 0, { cpuMs: 5000 }], [2, 1, { cpuMs: 100 }], [3, 1, { cpuMs: 7 }]);
  const after = processes([1, 0, { cpuMs: 5010 }], [2, 1, { cpuMs: 130 }], [3, 1, { cpuMs: 900 }]);
  assert.equal(cpuTimeMs(before, after, all), 10 + 30 + 893);
  assert.equal(
    cpuTimeMs(before, after, (pid) => pid !== 3),
    40,
  );
});

test('a process that was started in between counts in full', () => {
  assert.equal(cpuTimeMs(processes([1, 0]), processes([1, 0], [2, 1, { cpuMs: 60 }]), all), 60);
});

test('a child that was started and ended in between counts by what its parent was told', () => {
  const before = processes([1, 0], [2, 1, { endedChildrenCpuMs: 1000 }]);
  const after = processes([1, 0], [2, 1, { endedChildrenCpuMs: 1250 }]);
  assert.equal(cpuTimeMs(before, after, all), 250);
});

test('what a process had used before the first look does not count when it ends', () => {
  const before = processes([1, 0], [2, 1], [3, 2, { cpuMs: 60_000, endedChildrenCpuMs: 500 }]);
  const after = processes([1, 0], [2, 1, { endedChildrenCpuMs: 60_540 }]);
  assert.equal(cpuTimeMs(before, after, all), 40);
});

test('the time of a family that ends goes to the nearest ancestor that is left', () => {
  const before = processes([1, 0], [2, 1, { cpuMs: 200 }], [3, 2, { cpuMs: 60_000 }]);
  const after = processes([1, 0, { endedChildrenCpuMs: 60_230 }]);
  assert.equal(cpuTimeMs(before, after, all), 30);
});

test('a process of the run that ends is not counted as the work of who waited for it', () => {
  const before = processes([1, 0], [7, 1, { cpuMs: 9000 }]);
  const after = processes([1, 0, { endedChildrenCpuMs: 9000 }]);
  assert.equal(
    cpuTimeMs(before, after, (pid) => pid !== 7),
    0,
  );
});

test('a process for which nobody waited takes nothing away from the others', () => {
  const before = processes([1, 0], [2, 1, { cpuMs: 100 }], [3, 2, { cpuMs: 60_000 }]);
  // The 20 ms are those of another child.
  const after = processes([1, 0], [2, 1, { cpuMs: 150, endedChildrenCpuMs: 20 }]);
  assert.equal(cpuTimeMs(before, after, all), 50);
});
