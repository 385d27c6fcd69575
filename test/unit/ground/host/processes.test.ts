import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProcessStat, readProcesses } from '../../../../ground/host/processes.ts';

const BASH =
  '17 (bash) S 9 17 16 34816 17 4194304 2298 0 27 0 15 2 40 3 20 0 7 0 84866 812822528 10904 18446744073709551615';

test('reads a line of /proc/PID/stat in ms', () => {
  assert.deepEqual(parseProcessStat(17, BASH), {
    pid: 17,
    parentPid: 9,
    session: 16,
    kernel: false,
    cpuMs: 170,
    endedChildrenCpuMs: 430,
  });
});

test('accepts brackets and blanks in the name of a program', () => {
  const line = BASH.replace('(bash)', '(a) S 1 (b c)');
  assert.deepEqual(parseProcessStat(17, line), parseProcessStat(17, BASH));
});

test('distinguishes kernel threads from programs', () => {
  assert.equal(
    parseProcessStat(2, '2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 5 0 0 20').kernel,
    true,
  );
});

test('rejects any other line', () => {
  assert.throws(() => parseProcessStat(17, '17 (bash) S 9'), /is not as proc\(5\) says/);
});

test('lists this process and its parent on this machine', () => {
  const all = readProcesses();
  const self = all.get(process.pid);
  assert.equal(self?.parentPid, process.ppid);
  assert.equal(self?.kernel, false);
  assert.ok((self?.cpuMs ?? 0) > 0);
});
