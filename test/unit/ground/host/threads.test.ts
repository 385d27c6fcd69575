import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readThreadTimes, threadTimeMs } from '../../../../ground/host/threads.ts';

test('counts threads by their time since the start, new ones in full, ended ones not', () => {
  const before = new Map([
    ['5/5', 10.5],
    ['5/6', 900],
  ]);
  const after = new Map([
    ['5/5', 12.75],
    ['5/8', 0.25],
  ]);
  assert.equal(threadTimeMs(before, after), 2.5);
});

test('has no threads for a process that has ended', () => {
  assert.equal(readThreadTimes([2 ** 30]), null);
});

test('finds work of this process in its threads if the kernel reports it', (t) => {
  const before = readThreadTimes([process.pid]);
  if (!before) return t.skip('this kernel keeps no times of threads');
  const begin = process.cpuUsage();
  let used = 0;
  while (used < 20_000) {
    const { user, system } = process.cpuUsage(begin);
    used = user + system;
  }
  const after = readThreadTimes([process.pid]);
  assert.ok(after);
  assert.ok(threadTimeMs(before, after) >= 15, `${threadTimeMs(before, after)} ms`);
});
