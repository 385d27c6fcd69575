import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromVersion3 } from '../../../records/older-versions.ts';
import { problemOfInvocation, problemOfPageLoad, problemOfRun } from '../../../records/problems.ts';
import { COMPLETE_INVOCATION, COMPLETE_PAGE_LOAD, COMPLETE_RUN } from './complete-records.ts';

const { browser: _browser, connections: _connections, ...COMMON } = COMPLETE_PAGE_LOAD;
const { runnerCpuMs: _runnerCpuMs, ...MACHINE } = COMPLETE_PAGE_LOAD.machine;
const { linkCpuMs: _linkCpuMs, ...PATH } = COMPLETE_PAGE_LOAD.path;

/** A load as the version before wrote it. */
const LOAD = {
  ...COMMON,
  formatVersion: 3,
  ...{ machine: MACHINE, path: PATH },
  handshakes: { tlsFull: 1 },
  connections: { opened: [{ host: 'a.test', protocol: 'h2' }], reused: [], whole: true },
  stepsMs: {
    ...{ launch: 310, prepare: 420, earlierLoad: 900, load: 415, settle: 520 },
    ...{ handshakes: 140, tearDown: 90, har: 25, total: 2820 },
  },
};

test('a load of format 3 is read as one of format 4, without what it could not know', () => {
  const load = fromVersion3(LOAD);
  assert.equal(problemOfPageLoad(load), null);
  const { browser, connections, stepsMs, machine, timingsMs } = load as typeof COMPLETE_PAGE_LOAD;
  assert.deepEqual([browser, connections, machine.runnerCpuMs], [null, null, null]);
  assert.deepEqual(stepsMs, {
    ...{ prepare: 730, earlierLoad: 900, load: 415, settle: 520, judge: 25 },
  });
  assert.deepEqual(timingsMs, COMPLETE_PAGE_LOAD.timingsMs);
});

test('a load of format 3 that was never watched stays so', () => {
  const load = fromVersion3({ ...LOAD, machine: null, path: null });
  assert.equal(problemOfPageLoad(load), null);
});

test('a run of format 3 had a process for every load', () => {
  const { isolation: _, ...choices } = COMPLETE_RUN.choices;
  const before = { ...COMPLETE_RUN, formatVersion: 3, choices: { ...choices, netLog: 'all' } };
  const run = fromVersion3(before);
  assert.equal(problemOfRun(run), null);
  assert.equal((run as typeof COMPLETE_RUN).choices.isolation, 'process');
});

test('an invocation of format 3 is one of format 4; other versions and other things stay as they are', () => {
  assert.equal(
    problemOfInvocation(fromVersion3({ ...COMPLETE_INVOCATION, formatVersion: 3 })),
    null,
  );
  for (const other of [{ formatVersion: 2, stepsMs: {} }, { formatVersion: 4 }, null, 'text']) {
    assert.equal(fromVersion3(other), other);
  }
});
