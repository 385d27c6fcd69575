import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Output of a program, or the reason why it could not run. */
export type ProgramOutput = { ok: true; output: string } | { ok: false; reason: string };

const LIMIT_MS = 20_000;

/** Runs a program to its end, as another user if root gives a uid. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { uid }: { uid?: number } = {},
): Promise<ProgramOutput> {
  // Debian keeps network tools outside the PATH of ordinary users.
  const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin`, LC_ALL: 'C' };
  // Every user can enter `/`.
  const user = uid === undefined ? {} : { uid, gid: uid, cwd: '/' };
  try {
    const options = { timeout: LIMIT_MS, env, ...user };
    const { stdout } = await promisify(execFile)(program, args, options);
    return { ok: true, output: stdout.trim() };
  } catch (error) {
    const { code, stderr, message } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT') return { ok: false, reason: `${program} is not installed` };
    // stderr without the command, which the message would add.
    return { ok: false, reason: stderr?.trim().split('\n').at(-1) || message };
  }
}
