import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathUseOf } from '../../../../report/summary/use.ts';
import { type FixtureOptions, fixtureRun, NONE, ONE_SITE, spoil } from '../fixture-run.ts';
import { fixtureSummary } from '../reported.ts';

function summaryOf(change: FixtureOptions['change']) {
  return fixtureSummary({
    subjects: ['a.example', 'b.example'],
    networks: [NONE],
    repetitions: 3,
    change,
  });
}

test('takes processor use as the median of counted loads, then of the sites', () => {
  const { rows, overview } = summaryOf((load) => {
    if (load.arm !== 'lsquic-h3' || !load.machine || !load.path) return;
    const times = load.subject === 'a.example' ? 1 : 3;
    load.machine.cpuPressurePercent = 10 * times;
    load.machine.clientCpuMs = 100 * load.repetition * times;
    load.machine.serverCpuMs = 20 * times;
    load.machine.runnerCpuMs = 50 * times;
    load.path.linkCpuMs = 5 * times;
    if (load.repetition === 3) spoil(load, 'failed', 'timeout', 'late');
  });
  assert.deepEqual(rows[0]?.processor, {
    cpuPressurePercent: 10,
    clientCpuMs: 150,
    serverCpuMs: 20,
    linkCpuMs: 5,
    runnerCpuMs: 50,
  });
  assert.deepEqual(overview[0]?.arms[0]?.processor, {
    cpuPressurePercent: 20,
    clientCpuMs: 300,
    serverCpuMs: 40,
    linkCpuMs: 10,
    runnerCpuMs: 100,
  });
});

test('is null where records have no value', () => {
  const { rows } = summaryOf((load) => {
    if (load.arm === 'lsquic-h3' && load.machine) load.machine.runnerCpuMs = null;
    if (load.arm === 'bun-h2') Object.assign(load, { machine: null, path: null });
    if (load.arm === 'flask-h1' && load.path) load.path.linkCpuMs = null;
  });
  const [lsquic, bun, flask] = rows.map((row) => row.processor);
  assert.equal(lsquic?.runnerCpuMs, null);
  assert.deepEqual([...new Set(Object.values(bun ?? {}))], [null]);
  assert.equal(flask?.linkCpuMs, null);
});

function loadsWith(packets: readonly (number | null)[]) {
  const { observations } = fixtureRun({ ...ONE_SITE, repetitions: 9 });
  return packets.map((count, index) => {
    const load = observations[index];
    assert.ok(load?.path);
    if (count === null) return { ...load, path: null };
    const { toServer, toClient } = load.path;
    const path = {
      ...load.path,
      toClient: { ...toClient, packets: count, bytes: 1000 * count },
      toServer: { ...toServer, packets: count / 2, bytes: 100 * count },
    };
    return { ...load, path };
  });
}

test('takes path use as the median of reporting loads, down to the browser and up to the servers', () => {
  assert.deepEqual(pathUseOf(loadsWith([10, null, 30, 20])), {
    downBytes: 20_000,
    upBytes: 2000,
    downPackets: 20,
    upPackets: 10,
  });
});

test('is missing if no load reports it', () => {
  const none = { downBytes: null, upBytes: null, downPackets: null, upPackets: null };
  assert.deepEqual(pathUseOf(loadsWith([null])), none);
  assert.deepEqual(pathUseOf([]), none);
});

test("takes a row's path use from its counted loads only", () => {
  const row = fixtureSummary({
    ...ONE_SITE,
    change: (load) => {
      if (!load.path || load.arm !== 'bun-h2') return;
      load.path.toClient.packets = load.warmup ? 9000 : 100 * load.repetition;
      if (load.repetition === 3) load.outcome = 'invalid';
    },
  }).rows.find(({ arm }) => arm === 'bun-h2');
  assert.equal(row?.path.downPackets, 150);
});
