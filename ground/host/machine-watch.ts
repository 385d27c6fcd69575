import { readlinkSync } from 'node:fs';
import os from 'node:os';
import type { MachineUse } from '../records/machine-use.ts';
import { readIfThere } from '../system/read-if-there.ts';
import { processTreeOf } from './process-tree.ts';
import { type Processes, readProcesses, TICK_MS } from './processes.ts';
import { readThreadTimes, type ThreadTimes, threadTimeMs } from './threads.ts';

/** Processes of a load. */
interface LoadProcesses {
  /** The load's server; lost datagrams in a network namespace of the run's are counted too. null: unknown. */
  serverPid: number | null;
  /** First processes of further servers of the load; absent: it has one. */
  otherServerPids?: readonly number[];
  /** The client's first process; its network namespace is the client's. */
  clientPid: number;
  /** Further processes of the client; absent: it has one. */
  otherClientPids?: readonly number[];
  /** Ancestor of all processes of the run (itself, path agent, link, servers, client). Default: this process. */
  runnerPid?: number;
}

/** A running watch. */
export interface MachineWatch {
  /** Marks the load event, after which waits for cores no longer belong to the load. */
  loaded(): void;
  /**
   * Returns the use of the machine since the start. Call it before closing the client, whose processes it reads;
   * a client or server that ended or is unknown has null.
   */
  end(): MachineUse;
}

/**
 * Starts to watch the machine during a load; call it before the navigation. Compares two readings of /proc, each
 * some ms of the runner's time; nothing runs in between.
 *
 * Use by other programs is the sum over their processes, not the machine's time without the run's: kernel
 * threads and interrupts, most of them for our packets, belong to no process, and QUIC and TCP cause different
 * amounts. Only if some processes are invisible (in a container with its own process ids), the machine's time
 * without that of all visible processes is added.
 */
export function startMachineWatch({
  serverPid,
  otherServerPids = [],
  clientPid,
  otherClientPids = [],
  runnerPid = process.pid,
}: LoadProcesses): MachineWatch {
  const watched = { serverPid, otherServerPids, clientPid, otherClientPids, runnerPid };
  const loadAverage1m = os.loadavg()[0] ?? 0;
  const before = takeSnapshot(watched);
  let waited: CpuWait | null = null;
  return {
    loaded() {
      waited = { cpuWaitUs: readCpuWaitUs(), atMs: performance.now() };
    },
    end() {
      const after = takeSnapshot(watched);
      return machineUseBetween(before, { ...after, waited: waited ?? after }, loadAverage1m);
    },
  };
}

/** Readings at one moment. */
export interface Snapshot {
  /** By the monotonic clock. */
  atMs: number;
  processes: Processes;
  run: ReadonlySet<number>;
  client: ReadonlySet<number>;
  server: ReadonlySet<number>;
  serverThreads: ThreadTimes | null;
  /** Processor time of all threads of the runner; null: the runner is another process. */
  runnerCpuMs: number | null;
  cores: CoreTimes;
  cpuWaitUs: number | null;
  availableMb: number;
  /** Lost datagrams by network namespace, of servers and client. */
  udpBufferErrors: ReadonlyMap<string, number>;
}

/** Reads all processes once and assigns them to server, client, run or other programs. */
export function takeSnapshot({
  serverPid,
  otherServerPids = [],
  clientPid,
  otherClientPids,
  runnerPid,
}: LoadProcesses & Required<Omit<LoadProcesses, 'otherServerPids'>>): Snapshot {
  const processes = readProcesses();
  const servers = serverPid === null ? [] : [serverPid, ...otherServerPids];
  const server = new Set(servers.flatMap((pid) => [...processTreeOf(processes, pid)]));
  const clients = [clientPid, ...otherClientPids].map((pid) => processTreeOf(processes, pid));
  return {
    processes,
    server,
    // A server from before the run belongs to it during a load.
    run: new Set([...processTreeOf(processes, runnerPid), ...server]),
    // The total of a partly ended client is incomplete.
    client: clients.some(({ size }) => size === 0)
      ? new Set()
      : new Set(clients.flatMap((family) => [...family])),
    serverThreads: readThreadTimes(server),
    runnerCpuMs: runnerPid === process.pid ? ownCpuMs() : null,
    cpuWaitUs: readCpuWaitUs(),
    availableMb: parseAvailableMb(readIfThere('/proc/meminfo') ?? ''),
    udpBufferErrors: readUdpBufferErrors(
      serverPid === null || isInOwnNamespace(serverPid) ? [clientPid] : [clientPid, serverPid],
    ),
    cores: parseCoreTimes(readIfThere('/proc/stat') ?? ''),
    atMs: performance.now(),
  };
}

/** Exact, unlike /proc with its steps of 10 ms. */
function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function readCpuWaitUs(): number | null {
  return parseCpuWaitUs(readIfThere('/proc/pressure/cpu'));
}

/** Accumulated waits for a core. */
type CpuWait = Pick<Snapshot, 'cpuWaitUs' | 'atMs'>;

/**
 * Difference of two snapshots.
 * @param after with the waits until the load event
 */
export function machineUseBetween(
  before: Snapshot,
  after: Snapshot & { waited: CpuWait },
  loadAverage1m: number,
): MachineUse {
  const elapsedMs = after.atMs - before.atMs;
  const percent = (partMs: number) => (100 * partMs) / elapsedMs;
  const { cpuWaitUs, atMs } = after.waited;
  return {
    loadAverage1m,
    availableMemoryMb: Math.min(before.availableMb, after.availableMb),
    cpuPressurePercent:
      cpuWaitUs === null || before.cpuWaitUs === null
        ? null
        : Math.min(100, (cpuWaitUs - before.cpuWaitUs) / 10 / (atMs - before.atMs)),
    stealPercent: stealPercent(before.cores, after.cores),
    otherCpuPercent: percent(otherProcessesMs(before, after)),
    serverCpuMs: after.server.size === 0 ? null : serverMs(before, after),
    clientCpuMs:
      after.client.size === 0 ? null : processTreeMs(before, after, ({ client }) => client),
    runnerCpuMs:
      after.runnerCpuMs === null || before.runnerCpuMs === null
        ? null
        : after.runnerCpuMs - before.runnerCpuMs,
    udpReceiveBufferErrors: growth(before.udpBufferErrors, after.udpBufferErrors),
  };
}

function otherProcessesMs(before: Snapshot, after: Snapshot): number {
  const isOther = (pid: number) => {
    const kernel = (after.processes.get(pid) ?? before.processes.get(pid))?.kernel;
    return !kernel && !before.run.has(pid) && !after.run.has(pid);
  };
  const seenMs = cpuTimeMs(before.processes, after.processes, isOther);
  if (canSeeAllProcesses(before.processes)) return seenMs;
  const allSeenMs = cpuTimeMs(before.processes, after.processes, () => true);
  return seenMs + Math.max(0, after.cores.programsMs - before.cores.programsMs - allSeenMs);
}

/** Kernel thread 2 is visible on the machine itself, but in no container. */
function canSeeAllProcesses(processes: Processes): boolean {
  return processes.get(2)?.kernel === true;
}

function serverMs(before: Snapshot, after: Snapshot): number {
  if (before.serverThreads && after.serverThreads) {
    return threadTimeMs(before.serverThreads, after.serverThreads);
  }
  return processTreeMs(before, after, ({ server }) => server);
}

function processTreeMs(
  before: Snapshot,
  after: Snapshot,
  family: (look: Snapshot) => ReadonlySet<number>,
): number {
  const isMember = (pid: number) => family(before).has(pid) || family(after).has(pid);
  return cpuTimeMs(before.processes, after.processes, isMember);
}

function stealPercent(before: CoreTimes, after: CoreTimes): number | null {
  if (before.stealMs === null || after.stealMs === null) return null;
  const totalMs = after.totalMs - before.totalMs;
  return totalMs === 0 ? 0 : (100 * (after.stealMs - before.stealMs)) / totalMs;
}

function growth(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [namespace, count] of after) {
    const earlier = before.get(namespace) ?? count;
    // A new path may reuse the number of a removed namespace, and counts from 0.
    sum += count < earlier ? count : count - earlier;
  }
  return sum;
}

/**
 * Processor time in ms of processes between two snapshots, including their children that started and ended in
 * between. Time from before the first snapshot is not counted again when a process ends and its time passes to
 * its parent. Accurate to 20 ms per process, with errors of either sign; time of children that no process waits
 * for is missing.
 */
export function cpuTimeMs(
  before: Processes,
  after: Processes,
  isMember: (pid: number) => boolean,
): number {
  let ownMs = 0;
  const fromEndedMs = new Map<number, number>();
  for (const process of after.values()) {
    if (!isMember(process.pid)) continue;
    const earlier = before.get(process.pid);
    ownMs += Math.max(0, process.cpuMs - (earlier?.cpuMs ?? 0));
    const gainedMs = process.endedChildrenCpuMs - (earlier?.endedChildrenCpuMs ?? 0);
    if (gainedMs > 0) fromEndedMs.set(process.pid, gainedMs);
  }
  for (const process of before.values()) {
    if (after.has(process.pid)) continue;
    const heir = survivingAncestorOf(process.pid, before, after);
    const gainedMs = heir === null ? undefined : fromEndedMs.get(heir);
    if (heir === null || gainedMs === undefined) continue;
    fromEndedMs.set(heir, gainedMs - process.cpuMs - process.endedChildrenCpuMs);
  }
  for (const gainedMs of fromEndedMs.values()) ownMs += Math.max(0, gainedMs);
  return ownMs;
}

/** Nearest living ancestor: ended processes pass their time to their parents. */
function survivingAncestorOf(pid: number, before: Processes, after: Processes): number | null {
  let heir = before.get(pid)?.parentPid;
  while (heir !== undefined && !after.has(heir)) heir = before.get(heir)?.parentPid;
  return heir ?? null;
}

/** Time of all cores since boot in ms (first line of /proc/stat). */
interface CoreTimes {
  /** Time in programs and in the kernel on their behalf, without interrupts. */
  programsMs: number;
  /** null: not reported by the kernel. */
  stealMs: number | null;
  totalMs: number;
}

/** @throws Error when the text is not /proc/stat. */
export function parseCoreTimes(text: string): CoreTimes {
  const line = /^cpu +([\d ]+)$/m.exec(text)?.[1];
  if (line === undefined) throw new Error('/proc/stat has no line of all cores');
  const [user = 0, nice = 0, system = 0, ...rest] = line
    .trim()
    .split(' ')
    .map((ticks) => Number(ticks) * TICK_MS);
  const [idle = 0, iowait = 0, irq = 0, softirq = 0, steal = null] = rest;
  const programsMs = user + nice + system;
  // `user` already includes guest time, which follows.
  return {
    programsMs,
    stealMs: steal,
    totalMs: programsMs + idle + iowait + irq + softirq + (steal ?? 0),
  };
}

/** Time since boot in which some process waited for a core, in microseconds; null: not reported by the kernel. */
export function parseCpuWaitUs(pressure: string | null): number | null {
  const total = /^some .*\btotal=(\d+)/m.exec(pressure ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

/** @throws Error when the text is not /proc/meminfo. */
export function parseAvailableMb(meminfo: string): number {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(meminfo)?.[1];
  if (kilobytes === undefined) throw new Error('/proc/meminfo has no MemAvailable');
  return Number(kilobytes) / 1024;
}

/**
 * Datagrams dropped because a buffer was full, by network namespace: RcvbufErrors (limit of a socket) and
 * MemErrors (limit of all UDP sockets together).
 * @param pids processes in the namespaces; ended ones are skipped
 */
export function readUdpBufferErrors(pids: readonly number[]): Map<string, number> {
  const errors = new Map<string, number>();
  for (const pid of pids) {
    const text = readIfThere(`/proc/${pid}/net/snmp`);
    if (text) errors.set(namespaceOf(pid), parseUdpBufferErrors(text));
  }
  return errors;
}

/** @throws Error when the text is not /proc/net/snmp. */
export function parseUdpBufferErrors(text: string): number {
  const [names, values] = [...text.matchAll(/^Udp: (.+)$/gm)].map(([, line = '']) =>
    line.split(' '),
  );
  if (!names?.includes('RcvbufErrors')) throw new Error('/proc/net/snmp has no Udp: RcvbufErrors');
  // Older kernels lack MemErrors.
  const count = (name: string) => Number(values?.[names.indexOf(name)] ?? 0);
  return count('RcvbufErrors') + count('MemErrors');
}

/** Whether a process is in the machine's namespace, where other programs lose datagrams too: a server from before the run. */
function isInOwnNamespace(pid: number): boolean {
  return namespaceOf(pid) === namespaceOf(process.pid);
}

/** Prevents double counts by processes of one namespace. */
function namespaceOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return `of process ${pid}`;
  }
}
