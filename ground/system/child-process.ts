import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** A program that the run started, in its own process group. */
export interface Child {
  process: ChildProcess;
  /** Resolves at its end, with its exit status or signal. */
  ended: Promise<number | NodeJS.Signals>;
  /** null while it runs. */
  end: number | NodeJS.Signals | null;
  /** Requests its end, and kills it with all its children after a timeout. */
  stop(limitMs: number): Promise<void>;
}

/** Running children, with functions that kill all their descendants. */
const running = new Map<Child, () => void>();

// Any end of this process also ends its children.
process.on('exit', () => {
  for (const killAll of running.values()) killAll();
});

/**
 * Starts a program. Its stdin stays open while this process lives, so that it notices the end.
 * @param input open file for its stdin instead
 * @param endsDaemons also ends descendants in other sessions, by searching all processes of the machine.
 * Default: only its process group
 */
export function startChild(
  command: string,
  args: readonly string[],
  { input = 'pipe', endsDaemons = false }: { input?: 'pipe' | number; endsDaemons?: boolean } = {},
): Child {
  const id = randomUUID();
  // In its own group, Ctrl-C reaches only this process, which stops children in order.
  const spawned = spawn(command, args, {
    detached: true,
    stdio: [input, 'pipe', 'pipe'],
    ...(endsDaemons && {
      env: { ...process.env, [LINEAGE]: `${process.env[LINEAGE] ?? ''} ${id}` },
    }),
  });
  spawned.stdin?.on('error', () => {}); // The child may end first; its exit status says so.
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
    // Also ends its remaining children.
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
 * Variable with the ids of the started programs from which a process descends. It survives when a daemon changes
 * session, parent and namespace.
 */
const LINEAGE = 'QUIC_VS_HTTPS_LINEAGE';

/** Killed processes end within this time, unless the kernel is stuck. */
const KILLING_LIMIT_MS = 1000;

/** Kills every process with this id in its lineage, including those started meanwhile. */
function killDescendants(id: string): void {
  const endMs = performance.now() + KILLING_LIMIT_MS;
  while (descendantsOf(id).filter(isKilled).length > 0 && performance.now() < endMs);
}

function descendantsOf(id: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && environmentOf(pid)?.includes(id));
}

/** null: ended, or another user's. */
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
