import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import { MachineError } from '../../ground/system/errors.ts';
import type { LentSignals } from '../../runner/stop.ts';

/** npm forwards a Ctrl-C that the terminal has already sent, at most this much later. */
export const SAME_KEY_MS = 300;
/** A second Ctrl-C within this time kills the program. */
const DOUBLE_PRESS_MS = 2000;
/** Time to end after a signal that is not from a terminal. */
const TERMINATE_TIMEOUT_MS = 5000;

interface ForegroundOptions {
  env: NodeJS.ProcessEnv;
  folder: string;
  say: (line: string) => void;
  signals: LentSignals;
}

/**
 * Runs a program with this one's input, output and terminal. The program handles Ctrl-C; twice within two seconds kills it. Other
 * signals are forwarded, and kill it after 5 s.
 * @returns the exit status as in a shell: 128 plus the number of the signal that ended it
 * @throws MachineError if the program cannot be started
 */
export async function runInForeground(
  [program = '', ...args]: readonly string[],
  { env, folder, say, signals }: ForegroundOptions,
): Promise<number> {
  // In our process group, and so in the terminal's foreground, which a shell can take over.
  const child = spawn(program, args, { stdio: 'inherit', env, cwd: folder });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('exit', (status, signal) =>
      resolve(status ?? 128 + os.constants.signals[signal ?? 'SIGKILL']),
    );
    child.once('error', ({ message }) => reject(new MachineError(`${program}: ${message}`)));
  });
  // The terminal sends it to both processes, but it is meant for the program.
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
      say(`The program has not ended: Ctrl-C again within ${DOUBLE_PRESS_MS / 1000} s kills it.`);
    }, SAME_KEY_MS).unref();
  };
}

/** Whether this process group is in the terminal's foreground, and so receives its signals. */
function isInForeground(): boolean {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // After the name, which may contain anything: state, parent, group, session, terminal, foreground group.
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foreground;
}
