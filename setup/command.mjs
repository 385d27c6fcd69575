import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { madeFolder } from '../ground/system/folders.mjs';
import { inProject } from './folders.mjs';

const GUARD = inProject('setup', 'guard.mjs');

/** Time for programs to end after a signal before they are killed, in ms. */
const ENDING_LIMIT_MS = 5000;
/** Exit status of commands ended by a signal. */
const INTERRUPTED = 130;

/** Guards of running programs, each the leader of a process group, with the promise of its end. */
const running = new Map();
let isEnding = false;

/**
 * Runs a program in the folder of what set-up makes and returns its output. With `show`, output goes to stderr at once. The program and all its
 * children end with set-up.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ show?: boolean, env?: NodeJS.ProcessEnv, timeoutMs?: number }} options
 * @returns {Promise<{ ok: boolean, status: number | null, output: string }>}
 */
export function run(program, args, { show = false, env = process.env, timeoutMs } = {}) {
  // Stdout belongs to the command that follows set-up.
  const output = show ? 2 : 'pipe';
  const guard = spawn(process.execPath, [GUARD, program, ...args], {
    cwd: madeFolder,
    env,
    detached: true,
    stdio: ['pipe', output, output],
  });
  const printed = [guard.stdout, guard.stderr].map(textOf);
  const timer = timeoutMs && setTimeout(() => signalGroup(guard, 'SIGKILL'), timeoutMs);
  const ended = new Promise((resolve) => {
    guard.on('exit', () => {
      signalGroup(guard, 'SIGKILL');
      running.delete(guard);
      clearTimeout(timer);
      resolve();
    });
  });
  running.set(guard, ended);
  return new Promise((resolve, reject) => {
    guard.on('error', reject);
    guard.on('close', (status) => {
      // An interrupted program's failure is not an error.
      if (isEnding) return;
      const text = printed.map((chunks) => Buffer.concat(chunks).toString()).join('');
      resolve({ ok: status === 0, status, output: text.trim() });
    });
  });
}

/** On a signal, ends the running programs and this process. A second signal kills. */
export function endOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));
  process.on('exit', () => signalAll('SIGKILL'));
}

/** @param {NodeJS.Signals} signal */
async function end(signal) {
  if (!isEnding) {
    isEnding = true;
    signalAll(signal);
    await Promise.race([Promise.all(running.values()), sleep(ENDING_LIMIT_MS)]);
  }
  process.exit(INTERRUPTED);
}

function signalAll(signal) {
  for (const guard of running.keys()) signalGroup(guard, signal);
}

function signalGroup({ pid }, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // All of it has ended.
  }
}

/** Collects a stream's text; empty if there is no stream. */
function textOf(stream) {
  const chunks = [];
  stream?.on('data', (chunk) => chunks.push(chunk));
  return chunks;
}

/**
 * Whether this user may execute the file.
 * @param {string} file
 */
export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
