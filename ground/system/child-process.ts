import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A program started by the run, in a process group of its own. */
export interface Child {
  process: ChildProcess;
  /** Resolves when it has ended, with its exit status or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  /** null while it runs. */
  end: number | NodeJS.Signals | null;
  /** Asks it to stop, and kills it with all its children when it has not done so in time. */
  stop(limitMs: number): Promise<void>;
}

/** Children that run, and what kills all that they have started. */
const running = new Map<Child, () => void>();

// The last line of defence: whatever ends this process ends its children too.
process.on('exit', () => {
  for (const killAll of running.values()) killAll();
});

/**
 * Starts a program; its stdin stays open as long as this process lives, so that it can notice the end.
 * @param input an open file that is its stdin instead
 * @param endsDaemons whether all that it has started ends with it, also in sessions of their own. Absent: its group alone, for
 *   which no look at all processes of the machine is needed
 */
export function startChild(
  command: string,
  args: readonly string[],
  { input = 'pipe', endsDaemons = false }: { input?: 'pipe' | number; endsDaemons?: boolean } = {},
): Child {
  const id = randomUUID();
  // A group of its own: Ctrl-C in a terminal reaches only us, and we stop things in order.
  const spawned = spawn(command, args, {
    detached: true,
    stdio: [input, 'pipe', 'pipe'],
    ...(endsDaemons && {
      env: { ...process.env, [LINEAGE]: `${process.env[LINEAGE] ?? ''} ${id}` },
    }),
  });
  spawned.stdin?.on('error', () => {}); // It may end before we do; its exit status says so.
  const { promise: ended, resolve } = Promise.withResolvers<number | NodeJS.Signals>();
  const child: Child = {
    process: spawned,
    ended,
    end: null,
    async stop(limitMs) {
      if (child.end !== null) return;
      kill(child, 'SIGTERM');
      const timer = setTimeout(() => kill(child, 'SIGKILL'), limitMs);
      await ended;
      clearTimeout(timer);
    },
  };
  const killAll = () => {
    kill(child, 'SIGKILL');
    if (endsDaemons) killDescendants(id);
  };
  running.set(child, killAll);
  const finish = (end: number | NodeJS.Signals) => {
    // Whatever the program itself had started and left goes with it.
    killAll();
    running.delete(child);
    child.end = end;
    resolve(end);
  };
  spawned.on('exit', (status, signal) => finish(status ?? signal ?? 1));
  spawned.on('error', (error) => {
    spawned.stderr?.push(`${error.message}\n`);
    finish(127);
  });
  return child;
}

function kill(child: Child, signal: NodeJS.Signals): void {
  if (child.process.pid === undefined) return;
  try {
    process.kill(-child.process.pid, signal);
  } catch {
    // Already gone.
  }
}

/**
 * The variable with the ids of the programs that a process descends from. It stays in the environment when a daemon takes a session,
 * another parent and another namespace.
 */
const LINEAGE = 'QUIC_VS_HTTPS_LINEAGE';

/** Nothing survives being killed for longer, unless the kernel itself is stuck. */
const KILLING_LIMIT_MS = 1000;

/** Kills every process that was started with this id in its lineage, and what they start meanwhile. */
function killDescendants(id: string): void {
  const endMs = performance.now() + KILLING_LIMIT_MS;
  while (descendantsOf(id).filter(isKilled).length > 0 && performance.now() < endMs);
}

function descendantsOf(id: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && environmentOf(pid)?.includes(id));
}

/** null: it has ended, or is another user's. */
function environmentOf(pid: number): Buffer | null {
  try {
    return readFileSync(`/proc/${pid}/environ`);
  } catch {
    return null;
  }
}

function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
