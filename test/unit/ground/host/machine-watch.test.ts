import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  machineUseBetween,
  type Snapshot,
  startMachineWatch,
} from '../../../../ground/host/machine-watch.ts';
import { processes } from './example.ts';

const RUN = new Set([10, 20, 30]);
/** Linux has none above. */
const NO_PID = 2 ** 22 + 1;
const CORES = { programsMs: 0, stealMs: 0, totalMs: 0 };
const KERNEL = { kernel: true };

/** Runner 10, server 20 and client 30 on a machine with a kernel thread 2 and a foreign program 99. */
const BEFORE: Snapshot = {
  atMs: 1000,
  processes: processes([1, 0], [2, 0, KERNEL], [10, 1], [20, 10], [30, 10], [99, 1]),
  run: RUN,
  server: new Set([20]),
  client: new Set([30]),
  serverThreads: new Map([['20/20', 1]]),
  runnerCpuMs: 900,
  cores: CORES,
  cpuWaitUs: 0,
  availableMb: 900,
  udpBufferErrors: new Map([
    ['server', 2],
    ['client', 40],
  ]),
};

const AFTER: Parameters<typeof machineUseBetween>[1] = {
  ...BEFORE,
  atMs: 1200,
  processes: processes(
    [1, 0],
    [2, 0, { kernel: true, cpuMs: 100 }],
    [10, 1, { cpuMs: 50 }],
    [20, 10, { cpuMs: 30 }],
    [30, 10, { cpuMs: 140 }],
    [99, 1, { cpuMs: 20 }],
  ),
  serverThreads: new Map([['20/20', 28.5]]),
  runnerCpuMs: 947.25,
  cores: { programsMs: 380, stealMs: 10, totalMs: 400 },
  cpuWaitUs: 60_000,
  // Until the load event; what comes later is the next load's.
  waited: { atMs: 1100, cpuWaitUs: 25_000 },
  availableMb: 700,
  udpBufferErrors: new Map([
    ['server', 5],
    ['client', 41],
  ]),
};

test('two looks say what others, server and client took', () => {
  assert.deepEqual(machineUseBetween(BEFORE, AFTER, 0.5), {
    loadAverage1m: 0.5,
    availableMemoryMb: 700,
    cpuPressurePercent: 25,
    stealPercent: 2.5,
    // Neither the kernel's 100 ms nor the run's 220 ms.
    otherCpuPercent: 10,
    serverCpuMs: 27.5,
    clientCpuMs: 140,
    runnerCpuMs: 47.25,
    udpReceiveBufferErrors: 4,
  });
});

test('where others cannot be seen, the time of the machine that no process seen took is theirs', () => {
  const unseen = <L extends Snapshot>(look: L): L => {
    const seen = new Map(look.processes);
    seen.delete(2);
    return { ...look, processes: seen };
  };
  const { otherCpuPercent } = machineUseBetween(unseen(BEFORE), unseen(AFTER), 0);
  assert.equal(otherCpuPercent, (100 * (20 + 380 - 240)) / 200);
});

test('a child of the run that ends is nobody else, whoever waited for it', () => {
  const before = {
    ...BEFORE,
    run: new Set([...RUN, 40]),
    processes: new Map([...BEFORE.processes, ...processes([40, 1, { cpuMs: 5000 }])]),
  };
  const init = processes([1, 0, { endedChildrenCpuMs: 5000 }]);
  const after = { ...AFTER, processes: new Map([...AFTER.processes, ...init]) };
  assert.equal(machineUseBetween(before, after, 0).otherCpuPercent, 10);
});

test('a process belongs to the run that was seen in it at either look', () => {
  const run = { begun: new Set([...RUN, 41]), orphaned: new Set([...RUN, 42]) };
  const grown = new Map([
    ...AFTER.processes,
    ...processes([41, 30, { cpuMs: 70 }], [42, 1, { cpuMs: 80 }]),
  ]);
  const before = { ...BEFORE, run: run.orphaned };
  const after = { ...AFTER, run: run.begun, processes: grown };
  assert.equal(machineUseBetween(before, after, 0).otherCpuPercent, 10);
});

test('without exact times of threads the server counts in steps of 10 ms', () => {
  assert.equal(machineUseBetween({ ...BEFORE, serverThreads: null }, AFTER, 0).serverCpuMs, 30);
});

test("what another runner's threads took is not told", () => {
  assert.equal(machineUseBetween(BEFORE, { ...AFTER, runnerCpuMs: null }, 0).runnerCpuMs, null);
});

test('what the kernel does not tell is null', () => {
  const silent = { cpuWaitUs: null, cores: { ...CORES, stealMs: null } };
  const use = machineUseBetween({ ...BEFORE, ...silent }, { ...AFTER, ...silent }, 0);
  assert.equal(use.cpuPressurePercent, null);
  assert.equal(use.stealPercent, null);
});

test('a client that has ended used null, and its namespace counts no errors', () => {
  const after = {
    ...AFTER,
    client: new Set<number>(),
    udpBufferErrors: new Map([['server', 5]]),
  };
  const use = machineUseBetween(BEFORE, after, 0);
  assert.equal(use.clientCpuMs, null);
  assert.equal(use.udpReceiveBufferErrors, 3);
});

test('a namespace with the number of one that is gone counts errors from zero', () => {
  const after = { ...AFTER, udpBufferErrors: new Map([['server', 1]]) };
  assert.equal(machineUseBetween(BEFORE, after, 0).udpReceiveBufferErrors, 1);
});

test('a client of several programs is all of them, and one that has partly ended tells nothing', () => {
  const pids = { serverPid: process.pid, clientPid: process.pid };
  // This process descends from its parent: the two together are the parent's family.
  const both = startMachineWatch({ ...pids, otherClientPids: [process.ppid] });
  const ended = startMachineWatch({ ...pids, otherClientPids: [NO_PID] });
  const alone = startMachineWatch(pids);
  const before = process.cpuUsage();
  while (process.cpuUsage(before).user < 40_000);
  const aloneMs = alone.end().clientCpuMs ?? -1;
  assert.ok(aloneMs > 0, String(aloneMs));
  const bothMs = both.end().clientCpuMs ?? -1;
  assert.ok(bothMs >= aloneMs, `${bothMs} of two programs, ${aloneMs} of one of them`);
  assert.equal(ended.end().clientCpuMs, null);
});

test('a real watch of this process and its own work has numbers for everything', () => {
  const watch = startMachineWatch({ serverPid: process.pid, clientPid: process.pid });
  const ofAnother = startMachineWatch({ serverPid: 1, clientPid: 1, runnerPid: 1 });
  const use = watch.end();
  // Looking around is work of this process itself.
  assert.ok((use.runnerCpuMs ?? 0) > 0);
  assert.equal(ofAnother.end().runnerCpuMs, null);
  assert.ok(use.availableMemoryMb > 0);
  assert.ok(use.otherCpuPercent >= 0);
  assert.ok((use.serverCpuMs ?? -1) >= 0);
  assert.equal(use.udpReceiveBufferErrors >= 0, true);
});
