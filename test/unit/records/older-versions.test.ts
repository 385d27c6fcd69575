import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { PageLoad } from '../../../experiments/page-load/details.ts';
import { pageLoad } from '../../../experiments/page-load/experiment.ts';
import type { ConnectDetails } from '../../../records/connection-attempt.ts';
import { FORMAT_MINOR } from '../../../records/format.ts';
import type { Observation } from '../../../records/observation.ts';
import { upgraded } from '../../../records/older-versions.ts';
import {
  problemOfCalibration,
  problemOfInvocation,
  problemOfLook,
  problemOfObservation,
  problemOfRun,
} from '../../../records/problems.ts';
import type { RunRecord } from '../../../records/run.ts';
import { runFolder } from '../../../records/run-folder.ts';
import { writeReport } from '../../../report/write.ts';
import { withTemporaryFolder } from '../../temporary-folder.ts';
import { connectionRun } from '../report/connections.ts';
import { type Fixture, fixtureRun, spoil, withRunFolder } from '../report/fixture-run.ts';
import {
  calibrationOfFormat4,
  loadOfFormat4,
  runOfFormat4,
  sittingOfFormat4,
  writeRunOfFormat4,
} from './format-4.ts';

const problemOfLoad = problemOfObservation(pageLoad.details);

const { run, observations, calibrations, invocations } = fixtureRun({ visits: ['cold', 'repeat'] });
const LOAD = one(observations.filter(({ factors }) => factors.visit === 'repeat'));

function one<T>([first]: readonly T[]): T {
  assert.ok(first);
  return first;
}

/** The same load as format 3 wrote it, with the steps and the handshakes that it had. */
function loadOfFormat3(load: PageLoad) {
  const { browser: _, machine, path, harnessMs: __, ...common } = loadOfFormat4(load);
  const { runnerCpuMs: _runnerCpuMs, ...watched } = machine ?? {};
  const { linkCpuMs: _linkCpuMs, ...counted } = path ?? {};
  return {
    ...common,
    formatVersion: 3,
    machine: machine && watched,
    path: path && counted,
    handshakes: { tlsFull: 1 },
    connections: { opened: [{ host: 'a.test', protocol: 'h2' }], reused: [], whole: true },
    harnessMs: {
      launch: 310,
      prepare: 420,
      earlierLoad: 900,
      load: 415,
      settle: 520,
      handshakes: 140,
      tearDown: 90,
      har: 25,
      total: 2820,
    },
  };
}

test('a load of format 4 is read as the one of today that it was', () => {
  const load = upgraded(loadOfFormat4(LOAD));
  assert.equal(problemOfLoad(load), null);
  assert.deepEqual(load, LOAD);
});

test('a load of format 4 that failed before anything was seen of it has no number and no file', () => {
  const failed = structuredClone(LOAD);
  spoil(failed, 'failed', 'browser-failed', 'crashed');
  Object.assign(failed, { client: null, connections: null, machine: null, path: null });
  const load = upgraded(loadOfFormat4(failed));
  assert.equal(problemOfLoad(load), null);
  assert.deepEqual(load, failed);
});

test('connections per origin of a load of format 4 are the mean over its hosts', () => {
  const old = loadOfFormat4(LOAD);
  assert.ok(old.traffic);
  const valueWith = (connectionsByHost: Record<string, number>) =>
    (upgraded({ ...old, traffic: { ...old.traffic, connectionsByHost } }) as PageLoad).metrics
      .connectionsPerOrigin;
  assert.equal(valueWith({ 'a.example': 6, 'b.example': 1, 'c.example': 1 }), 8 / 3);
  assert.equal(valueWith({}), null);
});

test('a run of format 4 is read as one of page loads, with sites as subjects and stacks as arms', () => {
  const read = upgraded(runOfFormat4(run));
  assert.equal(problemOfRun(read), null);
  assert.deepEqual(read, run);
});

test('a control of format 4 is known as the stack that it repeats, by the end of its name', () => {
  const name = 'bun-h2-control';
  const old = runOfFormat4(run);
  const control = { stack: name, label: 'Bun (h2), control', protocol: 'h2', controlOf: 'bun-h2' };
  const { arms } = upgraded({ ...old, stacks: [...old.stacks, control] }) as RunRecord;
  assert.deepEqual(arms.at(-1), {
    arm: name,
    label: control.label,
    protocol: 'h2',
    controlOf: 'bun-h2',
    stack: 'bun-h2',
    client: 'chromium',
  });
  const load = upgraded({ ...loadOfFormat4(LOAD), stack: name }) as PageLoad;
  assert.deepEqual([load.arm, load.stack], [name, 'bun-h2']);
});

test('a sitting is read as an invocation', () => {
  const invocation = one(invocations);
  for (const formatVersion of [3, 4]) {
    const read = upgraded({ ...sittingOfFormat4(invocation), formatVersion });
    assert.equal(problemOfInvocation(read), null);
    assert.deepEqual(read, invocation);
  }
});

test('a look of format 4 is read with its visits as variants', () => {
  const look = { at: '2026-11-20T10:02:00.000Z', order: 48, elapsedMs: 90_123.5, fraction: 0.375 };
  const read = upgraded({
    formatVersion: 4,
    sitting: '2026-11-20T10-00-00Z-bench',
    ...look,
    told: [{ network: '30ms', visit: 'repeat' }],
    end: 'told',
  });
  assert.equal(problemOfLook(read), null);
  assert.deepEqual(read, {
    formatVersion: 5,
    formatMinor: FORMAT_MINOR,
    invocation: '2026-11-20T10-00-00Z-bench',
    ...look,
    told: [{ network: '30ms', variant: 'repeat' }],
    end: 'told',
  });
});

test('a calibration, which tells no version, is read with its site as subject', () => {
  const calibration = one(calibrations);
  const read = upgraded(calibrationOfFormat4(calibration));
  assert.equal(problemOfCalibration(read), null);
  assert.deepEqual(read, calibration);
  assert.equal(upgraded(calibration), calibration);
});

test('a load of format 3 is read as one of today, without what it could not know', () => {
  const load = upgraded(loadOfFormat3(LOAD)) as PageLoad;
  assert.equal(problemOfLoad(load), null);
  assert.deepEqual([load.client, load.connections], [null, null]);
  assert.equal(load.machine?.runnerCpuMs, null);
  assert.equal(load.path?.linkCpuMs, null);
  assert.deepEqual(load.stepsMs, {
    prepare: 730,
    earlierLoad: 900,
    load: 415,
    settle: 520,
    judge: 25,
  });
  assert.deepEqual(load.metrics, LOAD.metrics);
  assert.deepEqual(load.details, LOAD.details);
});

test('a load of format 3 that was never watched stays so', () => {
  const load = upgraded({ ...loadOfFormat3(LOAD), machine: null, path: null }) as PageLoad;
  assert.equal(problemOfLoad(load), null);
  assert.deepEqual([load.machine, load.path], [null, null]);
});

test('a run of format 3 had a process for every load', () => {
  const { choices, ...before } = runOfFormat4(run);
  const { isolation: _, ...others } = choices;
  const read = upgraded({ ...before, formatVersion: 3, choices: { ...others, netLog: 'all' } });
  assert.equal(problemOfRun(read), null);
  assert.deepEqual((read as RunRecord).choices, { ...choices, isolation: 'process' });
});

test('records of today, of other versions and other things stay as they are', () => {
  for (const other of [LOAD, run, { formatVersion: 2, harnessMs: {} }, null, 'text', [1]]) {
    assert.equal(upgraded(other), other);
  }
});

test('a run recorded in format 4 gives the same summary as the same run of today', async () => {
  const fixture: Fixture = fixtureRun({
    visits: ['cold', 'repeat'],
    repetitions: 7,
    change: (load) => {
      if (load.order === 20) spoil(load, 'failed', 'timeout', 'late');
      if (load.order === 41) spoil(load, 'invalid', 'wrong-protocol', 'h2');
    },
  });
  const summaryIn = async (folder: string) => {
    await writeReport(folder);
    return JSON.parse(await readFile(runFolder(folder).summaryJson, 'utf8'));
  };
  await withRunFolder(fixture, async (today) => {
    await withTemporaryFolder(async (folder) => {
      await writeRunOfFormat4(folder, fixture);
      const summary = await summaryIn(folder);
      assert.deepEqual(summary, await summaryIn(today));
      assert.ok(summary.comparisons.some(({ nPairs }: { nPairs: number }) => nPairs >= 6));
      assert.deepEqual(summary.warnings, []);
    });
  });
});

test('a connection from before format 5.4 is read as the full one by Bun that it was, and one of today as it is', () => {
  const { observations } = connectionRun();
  const [today] = observations;
  assert.ok(today);
  const old = { ...today, formatMinor: 3, details: { host: 'a.example', address: '10.0.0.1:443' } };
  const { details } = upgraded(old) as Observation<ConnectDetails>;
  assert.deepEqual(details, {
    via: today.protocol === 'h3' ? 'quic' : 'tls1.3',
    host: 'a.example',
    address: '10.0.0.1:443',
    lookupMs: null,
    client: 'bun',
    resumption: 'none',
    facts: null,
    error: null,
  });
  assert.equal(upgraded(today), today);
});
