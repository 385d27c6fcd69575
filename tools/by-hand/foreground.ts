import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { MachineError } from '../../ground/system/errors.ts';
import type { LentSignals } from '../../runner/stop.ts';

/** Of one Ctrl-C a second signal may come this much later: npm hands on what the terminal has sent already. */
export const SAME_KEY_MS = 300;
/** Ctrl-C again within so long means that it is to end, whatever it says. */
const DOUBLE_PRESS_MS = 2000;
/** How long it may take to end when it is asked to by who has no terminal. */
const TERMINATE_TIMEOUT_MS = 5000;

interface ForegroundOptions {
  env: NodeJS.ProcessEnv;
  folder: string;
  say: (line: string) => void;
  signals: LentSignals;
}

/**
 * Runs a program whose input, output and terminal are those of this one. Ctrl-C is its own; twice within two seconds kills
 * it. Other requests to end are handed on to it, and kill it when it has not ended after 5 s.
 * @returns the exit status as a shell has it: 128 and the number of the signal that ended it
 * @throws MachineError when the program cannot be started
 */
export async function runInForeground(
  [program = '', ...args]: readonly string[],
  { env, folder, say, signals }: ForegroundOptions,
): Promise<number> {
  // In our process group, and so in the terminal's foreground: a shell can take it over from there.
  const child = spawn(program, args, { stdio: 'inherit', env, cwd: folder });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('exit', (status, signal) =>
      resolve(status ?? 128 + os.constants.signals[signal ?? 'SIGKILL']),
    );
    child.once('error', ({ message }) => reject(new MachineError(`${program}: ${message}`)));
  });
  // The terminal sends it to both of us, and it is not about us.
  const unmoved = () => {};
  process.on('SIGQUIT', unmoved);
  try {
    return await signals.lend(forwardSignals(child, say), () => ended);
  } finally {
    process.off('SIGQUIT', unmoved);
  }
}

function forwardSignals(
  child: ChildProcess,
  say: (line: string) => void,
): (name: NodeJS.Signals) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (name) => {
    if (name !== 'SIGINT') {
      child.kill(name);
      setTimeout(() => child.kill('SIGKILL'), TERMINATE_TIMEOUT_MS).unref();
      return;
    }
    const sinceMs = performance.now() - lastMs;
    if (sinceMs < SAME_KEY_MS) return;
    lastMs = performance.now();
    if (sinceMs < DOUBLE_PRESS_MS) {
      child.kill('SIGKILL');
      return;
    }
    // The terminal has sent the signal to the program as well.
    if (!isInForeground()) child.kill('SIGINT');
    setTimeout(() => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      say(
        `It takes no notice of Ctrl-C, or is not done yet: again within ${DOUBLE_PRESS_MS / 1000} s kills it.`,
      );
    }, SAME_KEY_MS).unref();
  };
}

/** Whether the keys of a terminal signal this process: its group is the one in the foreground. */
function isInForeground(): boolean {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // Behind the name, which may have anything in it: state, parent, group, session, terminal, group in its foreground.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}
