import { type ChildProcess, spawn } from 'node:child_process';

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

const running = new Set<Child>();

// The last line of defence: whatever ends this process ends its children too.
process.on('exit', () => {
  for (const child of running) kill(child, 'SIGKILL');
});

/** Starts a program; its stdin stays open as long as this process lives, so that it can notice the end. */
export function startChild(command: string, args: readonly string[]): Child {
  // A group of its own: Ctrl-C in a terminal reaches only us, and we stop things in order.
  const spawned = spawn(command, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  spawned.stdin.on('error', () => {}); // It may end before we do; its exit status says so.
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
  running.add(child);
  const finish = (end: number | NodeJS.Signals) => {
    // Whatever the program itself had started and left goes with it.
    kill(child, 'SIGKILL');
    running.delete(child);
    child.end = end;
    resolve(end);
  };
  spawned.on('exit', (status, signal) => finish(status ?? signal ?? 1));
  spawned.on('error', (error) => {
    spawned.stderr.push(`${error.message}\n`);
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
