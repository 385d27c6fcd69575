import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { root } from './folders.mjs';

/**
 * Runs a program to its end in the project's folder and gives what it printed. With `show`, its output goes to stderr as it comes.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ show?: boolean, env?: NodeJS.ProcessEnv, timeoutMs?: number }} options
 * @returns {{ ok: boolean, status: number | null, output: string }}
 */
export function run(program, args, { show = false, env = process.env, timeoutMs } = {}) {
  const result = spawnSync(program, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    timeout: timeoutMs,
    // Our stdout belongs to the command that set-up comes before.
    stdio: show ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
  });
  const output = result.error?.message ?? `${result.stdout ?? ''}${result.stderr ?? ''}`;
  return { ok: result.status === 0, status: result.status, output: output.trim() };
}

/**
 * Whether this is a file that this user may run.
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
