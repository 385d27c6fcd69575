import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  machineUseBetween,
  type Snapshot,
  startMachineWatch,
} from '../../../../ground/host/machine-watch.ts';
import { processes } from './example.ts';

const RUN = new Set([10, 20, 30]);
/** No process id on Linux is higher. */
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
  // Until the load event; later work belongs to the next load.
  waited: { atMs: 1100, cpuWaitUs: 25_000 },
  availableMb: 700,
  udpBufferErrors: new Map([
    ['server', 5],
    ['client', 41],
  ]),
};

test('attributes the time between two samples to foreign programs, server and client', () => {
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

test('attributes time without a visible process to foreign programs if these are hidden', () => {
  const unseen = <L extends Snapshot>(look: L): L => {
    const seen = new Map(look.processes);
    seen.delete(2);
    return { ...look, processes: seen };
  };
  const { otherCpuPercent } = machineUseBetween(unseen(BEFORE), unseen(AFTER), 0);
  assert.equal(otherCpuPercent, (100 * (20 + 380 - 240)) / 200);
});

test('attributes a child of the run that ends to the run, whichever process reaps it', () => {
  const before = {
    ...BEFORE,
    run: new Set([...RUN, 40]),
    processes: new Map([...BEFORE.processes, ...processes([40, 1, { cpuMs: 5000 }])]),
  };
  const init = processes([1, 0, { endedChildrenCpuMs: 5000 }]);
  const after = { ...AFTER, processes: new Map([...AFTER.processes, ...init]) };
  assert.equal(machineUseBetween(before, after, 0).otherCpuPercent, 10);
});

test('attributes a process to the run that either sample shows it in', () => {
  const run = { begun: new Set([...RUN, 41]), orphaned: new Set([...RUN, 42]) };
  const grown = new Map([
    ...AFTER.processes,
    ...processes([41, 30, { cpuMs: 70 }], [42, 1, { cpuMs: 80 }]),
  ]);
  const before = { ...BEFORE, run: run.orphaned };
  const after = { ...AFTER, run: run.begun, processes: grown };
  assert.equal(machineUseBetween(before, after, 0).otherCpuPercent, 10);
});

test('counts the server in steps of 10 ms without exact thread times', () => {
  assert.equal(machineUseBetween({ ...BEFORE, serverThreads: null }, AFTER, 0).serverCpuMs, 30);
});

test("does not report the time of another runner's threads", () => {
  assert.equal(machineUseBetween(BEFORE, { ...AFTER, runnerCpuMs: null }, 0).runnerCpuMs, null);
});

test('returns null for values that the kernel does not report', () => {
  const silent = { cpuWaitUs: null, cores: { ...CORES, stealMs: null } };
  const use = machineUseBetween({ ...BEFORE, ...silent }, { ...AFTER, ...silent }, 0);
  assert.equal(use.cpuPressurePercent, null);
  assert.equal(use.stealPercent, null);
});

test('reports null for the time of a client that has ended, and no errors in its namespace', () => {
  const after = {
    ...AFTER,
    client: new Set<number>(),
    udpBufferErrors: new Map([['server', 5]]),
  };
  const use = machineUseBetween(BEFORE, after, 0);
  assert.equal(use.clientCpuMs, null);
  assert.equal(use.udpReceiveBufferErrors, 3);
});

test('counts errors from zero in a namespace that reuses a number', () => {
  const after = { ...AFTER, udpBufferErrors: new Map([['server', 1]]) };
  assert.equal(machineUseBetween(BEFORE, after, 0).udpReceiveBufferErrors, 1);
});

test('adds up all programs of a client, and reports null if one has ended', () => {
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

test('has numbers for everything in a real watch of this process and its own work', () => {
  const watch = startMachineWatch({ serverPid: process.pid, clientPid: process.pid });
  const ofAnother = startMachineWatch({ serverPid: 1, clientPid: 1, runnerPid: 1 });
  const use = watch.end();
  // Sampling is work of this process itself.
  assert.ok((use.runnerCpuMs ?? 0) > 0);
  assert.equal(ofAnother.end().runnerCpuMs, null);
  assert.ok(use.availableMemoryMb > 0);
  assert.ok(use.otherCpuPercent >= 0);
  assert.ok((use.serverCpuMs ?? -1) >= 0);
  assert.equal(use.udpReceiveBufferErrors >= 0, true);
});
