import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NamespaceName, PathAgent } from './agent.ts';
import type { Path } from './path.ts';

export interface NamespaceProcess {
  pid: number;
  /** As the kernel has it, 15 characters at most. */
  name: string;
}

/** How long they may take to end when they are asked to. */
const TERMINATE_TIMEOUT_MS = 2000;
/** Nothing survives being killed for longer, unless the kernel itself is stuck. */
const KILL_TIMEOUT_MS = 3000;
const POLL_INTERVAL_MS = 30;

interface NamespaceProcesses {
  /** Kills all at once. */
  kill(): void;
  /** Asks all to end, kills those that have not done so in time, and says who they were; once only. */
  end(): Promise<NamespaceProcess[]>;
}

/** Those at the ends of a path, wherever they were started from, also when the path is broken by then. */
export function namespaceProcessesOf(
  agent: Pick<PathAgent, 'holderOf'>,
  ends: readonly End[] = ENDS,
): NamespaceProcesses {
  const holders = ends.map((end) => agent.holderOf(end)).filter(isRunning);
  // Held open: once a namespace is gone, its number is given to another, maybe of somebody else's path.
  const held = holders.map((holder) => openSync(`/proc/${holder}/ns/net`, 'r'));
  const namespaces = held.map((file) => `net:[${fstatSync(file).ino}]`);
  // The path's own processes are one group with their agent.
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

/** Of a path that is broken, a holder may be gone, and then its namespace cannot be found any more. */
function isRunning(holder: number): boolean {
  return networkOf(holder) !== null;
}

/** null: it has ended, or is another user's. */
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
    // The name is in brackets, and may have anything in it.
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
 * Uses the ends of a path, and then ends all processes that are left there: daemons of servers, and what users have started.
 * @param ends left out: both
 * @param onEnded is called with them, if there are any
 */
export async function withEndsCleared<T>(
  { agent }: Pick<Path, 'agent'>,
  { ends, onEnded }: { ends?: readonly End[]; onEnded?: (ended: NamespaceProcess[]) => void },
  use: () => Promise<T>,
): Promise<T> {
  const processes = namespaceProcessesOf(agent, ends);
  // The last line of defence, as for every program that is started.
  process.on('exit', processes.kill);
  try {
    return await use();
  } finally {
    const ended = await processes.end();
    process.off('exit', processes.kill);
    if (ended.length > 0) onEnded?.(ended);
  }
}
