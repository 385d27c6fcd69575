import os from 'node:os';
import type { MachineUse } from '../records/machine-use.ts';
import { readIfThere } from '../system/read-if-there.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { familyOf } from './family.ts';
import { type CoreTimes, parseAvailableMb, parseCoreTimes, parseCpuWaitUs } from './machine.ts';
import { type Processes, readProcesses } from './processes.ts';
import { readThreadTimes, type ThreadTimes, threadTimeMs } from './threads.ts';
import { readUdpBufferErrors } from './udp-errors.ts';

/** Who takes part in a load. */
export interface Watched {
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
export interface Watch {
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
export function startWatch({
  serverPid,
  clientPid,
  otherClientPids = [],
  runnerPid = process.pid,
}: Watched): Watch {
  const watched = { serverPid, clientPid, otherClientPids, runnerPid };
  const loadAverage1m = os.loadavg()[0] ?? 0;
  const before = lookAround(watched);
  let waited: Waited | null = null;
  return {
    loaded() {
      waited = { cpuWaitUs: readCpuWaitUs(), atMs: performance.now() };
    },
    end() {
      const after = lookAround(watched);
      return compare(before, { ...after, waited: waited ?? after }, loadAverage1m);
    },
  };
}

/** Everything that is told of one moment. */
export interface Look {
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
export function lookAround({
  serverPid,
  clientPid,
  otherClientPids,
  runnerPid,
}: Required<Watched>): Look {
  const processes = readProcesses();
  const server = serverPid === null ? new Set<number>() : familyOf(processes, serverPid);
  const clients = [clientPid, ...otherClientPids].map((pid) => familyOf(processes, pid));
  return {
    processes,
    server,
    // A server that was there before the run is part of it while it is asked.
    run: new Set([...familyOf(processes, runnerPid), ...server]),
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
type Waited = Pick<Look, 'cpuWaitUs' | 'atMs'>;

/**
 * What happened between two looks.
 * @param after with what was waited until the load event
 */
export function compare(
  before: Look,
  after: Look & { waited: Waited },
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
    otherCpuPercent: percent(othersMs(before, after)),
    serverCpuMs: after.server.size === 0 ? null : serverMs(before, after),
    clientCpuMs: after.client.size === 0 ? null : familyMs(before, after, ({ client }) => client),
    runnerCpuMs:
      after.runnerCpuMs === null || before.runnerCpuMs === null
        ? null
        : after.runnerCpuMs - before.runnerCpuMs,
    udpReceiveBufferErrors: growth(before.udpBufferErrors, after.udpBufferErrors),
  };
}

function othersMs(before: Look, after: Look): number {
  const isOther = (pid: number) => {
    const kernel = (after.processes.get(pid) ?? before.processes.get(pid))?.kernel;
    return !kernel && !before.run.has(pid) && !after.run.has(pid);
  };
  const seenMs = cpuTimeMs(before.processes, after.processes, isOther);
  if (seesAll(before.processes)) return seenMs;
  const allSeenMs = cpuTimeMs(before.processes, after.processes, () => true);
  return seenMs + Math.max(0, after.cores.programsMs - before.cores.programsMs - allSeenMs);
}

/** The first thread of the kernel (process 2) shows on the machine itself, and in no container. */
function seesAll(processes: Processes): boolean {
  return processes.get(2)?.kernel === true;
}

function serverMs(before: Look, after: Look): number {
  if (before.serverThreads && after.serverThreads) {
    return threadTimeMs(before.serverThreads, after.serverThreads);
  }
  return familyMs(before, after, ({ server }) => server);
}

function familyMs(before: Look, after: Look, family: (look: Look) => ReadonlySet<number>): number {
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
