import { readlinkSync } from 'node:fs';
import os from 'node:os';
import type { MachineUse } from '../records/machine-use.ts';
import { readIfThere } from '../system/read-if-there.ts';
import { processTreeOf } from './process-tree.ts';
import { type Processes, readProcesses, TICK_MS } from './processes.ts';
import { readThreadTimes, type ThreadTimes, threadTimeMs } from './threads.ts';

/** Who takes part in a load. */
interface LoadProcesses {
  /** The server of this load, in whose network namespace datagrams are counted too; null: not known. */
  serverPid: number | null;
  /** The client's first process; its network namespace is the client's. */
  clientPid: number;
  /** The same of the others where the client is several programs; absent: it is one. */
  otherClientPids?: readonly number[];
  /** Whose descendants are the run: itself, path agent and link, all servers, the client. By default this process. */
  runnerPid?: number;
}

/** A watch that has begun. */
export interface MachineWatch {
  /** The load event is over: what others wait for a core from now on is no part of the load. */
  loaded(): void;
  /**
   * What happened since. To be called before the client is closed, from whose processes it reads: a client or server that has
   * ended, or is not known, has null.
   */
  end(): MachineUse;
}

/**
 * Begins to watch what goes on beside a load, to be called right before the navigation. Two looks at /proc
 * are compared, each some ms of the runner's time; nothing runs in between.
 *
 * What others took is the sum over their processes, and not what is left of the machine's time when the run's
 * is taken away: the kernel's own threads and its interrupts, most of them our packets, belong to nobody
 * there, and QUIC and TCP cause more and less of them. Only where not all processes can be seen (a container
 * with process ids of its own) the machine's time less that of all processes seen is added.
 */
export function startMachineWatch({
  serverPid,
  clientPid,
  otherClientPids = [],
  runnerPid = process.pid,
}: LoadProcesses): MachineWatch {
  const watched = { serverPid, clientPid, otherClientPids, runnerPid };
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

/** Everything that is told of one moment. */
export interface Snapshot {
  /** By a clock that only runs forward. */
  atMs: number;
  processes: Processes;
  run: ReadonlySet<number>;
  client: ReadonlySet<number>;
  server: ReadonlySet<number>;
  serverThreads: ThreadTimes | null;
  /** Of all threads of the runner so far; null: it is another process than this one. */
  runnerCpuMs: number | null;
  cores: CoreTimes;
  cpuWaitUs: number | null;
  availableMb: number;
  /** Datagrams lost so far, by network namespace: the servers' and the client's. */
  udpBufferErrors: ReadonlyMap<string, number>;
}

/** Looks once at all processes, and tells them apart by who takes part. */
export function takeSnapshot({
  serverPid,
  clientPid,
  otherClientPids,
  runnerPid,
}: Required<LoadProcesses>): Snapshot {
  const processes = readProcesses();
  const server = serverPid === null ? new Set<number>() : processTreeOf(processes, serverPid);
  const clients = [clientPid, ...otherClientPids].map((pid) => processTreeOf(processes, pid));
  return {
    processes,
    server,
    // A server that was there before the run is part of it while it is asked.
    run: new Set([...processTreeOf(processes, runnerPid), ...server]),
    // Of a client that has partly ended nothing whole can be told.
    client: clients.some(({ size }) => size === 0)
      ? new Set()
      : new Set(clients.flatMap((family) => [...family])),
    serverThreads: readThreadTimes(server),
    runnerCpuMs: runnerPid === process.pid ? ownCpuMs() : null,
    cpuWaitUs: readCpuWaitUs(),
    availableMb: parseAvailableMb(readIfThere('/proc/meminfo') ?? ''),
    udpBufferErrors: readUdpBufferErrors([clientPid, ...(serverPid === null ? [] : [serverPid])]),
    cores: parseCoreTimes(readIfThere('/proc/stat') ?? ''),
    atMs: performance.now(),
  };
}

/** Exact, where /proc counts in steps of 10 ms. */
function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function readCpuWaitUs(): number | null {
  return parseCpuWaitUs(readIfThere('/proc/pressure/cpu'));
}

/** How long processes had waited for a core at a moment. */
type CpuWait = Pick<Snapshot, 'cpuWaitUs' | 'atMs'>;

/**
 * What happened between two looks.
 * @param after with what was waited until the load event
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

/** The first thread of the kernel (process 2) shows on the machine itself, and in no container. */
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
    // A path that was made anew may have a namespace with the number of one that is gone, which counts from 0.
    sum += count < earlier ? count : count - earlier;
  }
  return sum;
}

/**
 * Processor time in ms that some processes took between two moments, with their children that were
 * started and ended in between. What a process had used before the first moment is not counted a second
 * time when it ends and its time goes to the process that waited for it. Single processes are exact to
 * 20 ms, with errors of either sign; what the kernel gives to nobody (a child that nobody waits for) is missing.
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

/** The nearest ancestor that is still there: ended processes hand their time on, from child to parent. */
function survivingAncestorOf(pid: number, before: Processes, after: Processes): number | null {
  let heir = before.get(pid)?.parentPid;
  while (heir !== undefined && !after.has(heir)) heir = before.get(heir)?.parentPid;
  return heir ?? null;
}

/** How all cores together have spent their time since the machine was started, in ms (the first line of /proc/stat). */
interface CoreTimes {
  /** In programs and in the kernel on their behalf, interrupts not counted. */
  programsMs: number;
  /** null: the kernel does not tell. */
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
  // Guests' time, which follows, is in `user` already.
  return {
    programsMs,
    stealMs: steal,
    totalMs: programsMs + idle + iowait + irq + softirq + (steal ?? 0),
  };
}

/** Time in microseconds since the start in which some process waited for a core; null: the kernel does not tell. */
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
 * Datagrams that the kernel has dropped so far because a buffer was full, by network namespace: RcvbufErrors
 * (the limit of a socket) and MemErrors (the limit of all UDP sockets together).
 * @param pids processes that live in the namespaces; those that have ended are passed over
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
  // Older kernels count no MemErrors.
  const count = (name: string) => Number(values?.[names.indexOf(name)] ?? 0);
  return count('RcvbufErrors') + count('MemErrors');
}

/** Processes of one namespace must not count its errors twice. */
function namespaceOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return `of process ${pid}`;
  }
}
