import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { python } from '../../servers/runtimes/python.ts';

const run = promisify(execFile);

const REQUIREMENTS = path.join(import.meta.dirname, 'servers', 'requirements.txt');
const ENVIRONMENTS = path.join(import.meta.dirname, '.venv');

/**
 * The Python that has aioquic, which sends Retry as a server and tells everything as a client. Its environment is made the first time
 * that a test wants it, and again when the requirements change: nothing else of the project needs it.
 */
export async function ensureAioquic(): Promise<string> {
  const requirements = await readFile(REQUIREMENTS);
  const folder = path.join(ENVIRONMENTS, createHash('sha256').update(requirements).digest('hex'));
  const program = path.join(folder, 'bin', 'python');
  if (existsSync(program)) return program;
  // Complete before it has its name: another test may want it too.
  const made = `${folder}.${process.pid}`;
  try {
    await run(python.program, ['-m', 'venv', made]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    const madeProgram = path.join(made, 'bin', 'python');
    await run(madeProgram, [...pip, '--require-hashes', '-r', REQUIREMENTS]);
    await rename(made, folder).catch((error: unknown) => {
      if (!existsSync(program)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return program;
}
