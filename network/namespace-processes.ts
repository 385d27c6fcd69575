import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NamespaceName, PathAgent } from './agent.ts';
import type { Path } from './path.ts';

export interface NamespaceProcess {
  pid: number;
  /** From the kernel, at most 15 characters. */
  name: string;
}

/** Time to end after SIGTERM. */
const TERMINATE_TIMEOUT_MS = 2000;
/** A killed process is gone by then, unless the kernel is stuck. */
const KILL_TIMEOUT_MS = 3000;
const POLL_INTERVAL_MS = 30;

interface NamespaceProcesses {
  kill(): void;
  /** Sends SIGTERM to all, kills the remaining ones after the timeout, and returns the processes; once only. */
  end(): Promise<NamespaceProcess[]>;
}

/** Processes at the ends of a path, regardless of their parent, even after the path has failed. */
export function namespaceProcessesOf(
  agent: Pick<PathAgent, 'holderOf'>,
  ends: readonly End[] = ENDS,
): NamespaceProcesses {
  const holders = ends.map((end) => agent.holderOf(end)).filter(isRunning);
  // Held open: the number of an ended namespace is reused, maybe for another path.
  const held = holders.map((holder) => openSync(`/proc/${holder}/ns/net`, 'r'));
  const namespaces = held.map((file) => `net:[${fstatSync(file).ino}]`);
  // The path's own processes are in the process group of their agent.
  const groups = holders.map((holder) => statOf(holder)?.group);
  const listProcesses = () =>
    readdirSync('/proc').flatMap((entry): NamespaceProcess[] => {
      const pid = Number(entry);
      const network = Number.isInteger(pid) ? networkOf(pid) : null;
      if (network === null || !namespaces.includes(network)) return [];
      const stat = statOf(pid);
      return stat === null || groups.includes(stat.group) ? [] : [{ pid, name: stat.name }];
    });
  return {
    kill: () => signalAll(listProcesses(), 'SIGKILL'),
    async end() {
      const found = listProcesses();
      signalAll(found, 'SIGTERM');
      const beganMs = performance.now();
      for (let left = found; left.length > 0; left = listProcesses()) {
        const forMs = performance.now() - beganMs;
        if (forMs > TERMINATE_TIMEOUT_MS + KILL_TIMEOUT_MS) break;
        if (forMs > TERMINATE_TIMEOUT_MS) signalAll(left, 'SIGKILL');
        await sleep(POLL_INTERVAL_MS);
      }
      for (const file of held) closeSync(file);
      return found;
    },
  };
}

type End = (typeof ENDS)[number];

const ENDS = ['client', 'server'] as const satisfies readonly NamespaceName[];

/** The holder may have ended with a failed path: then its namespace cannot be found. */
function isRunning(holder: number): boolean {
  return networkOf(holder) !== null;
}

/** null: it has ended, or belongs to another user. */
function networkOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return null;
  }
}

function statOf(pid: number): { name: string; group: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in brackets, and may contain any character.
    const [begin, end] = [stat.indexOf('('), stat.lastIndexOf(')')];
    const [, , group] = stat.slice(end + 2).split(' ');
    return { name: stat.slice(begin + 1, end), group: Number(group) };
  } catch {
    return null;
  }
}

function signalAll(all: readonly NamespaceProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of all) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
}

/**
 * Uses the ends of a path, and then ends all processes left there: servers' daemons and the user's programs.
 * @param ends default: both
 * @param onEnded receives the processes, if any
 */
export async function withEndsCleared<T>(
  { agent }: Pick<Path, 'agent'>,
  { ends, onEnded }: { ends?: readonly End[]; onEnded?: (ended: NamespaceProcess[]) => void },
  use: () => Promise<T>,
): Promise<T> {
  const processes = namespaceProcessesOf(agent, ends);
  // Last resort.
  process.on('exit', processes.kill);
  try {
    return await use();
  } finally {
    const ended = await processes.end();
    process.off('exit', processes.kill);
    if (ended.length > 0) onEnded?.(ended);
  }
}
