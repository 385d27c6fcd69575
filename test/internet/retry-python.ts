import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { python } from '../../servers/runtimes/python.ts';

const run = promisify(execFile);

const REQUIREMENTS = path.join(import.meta.dirname, 'servers', 'requirements.txt');
const ENVIRONMENT = path.join(import.meta.dirname, '.venv');

/**
 * The Python that has aioquic. Its environment is made the first time that a test wants it, and again when the requirements change:
 * nothing else of the project needs it.
 */
export async function ensureRetryPython(): Promise<string> {
  const wanted = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex');
  const folder = path.join(ENVIRONMENT, wanted.slice(0, 16));
  const program = path.join(folder, 'bin', 'python');
  const stamp = path.join(folder, 'complete');
  if (existsSync(stamp)) return program;
  await rm(ENVIRONMENT, { recursive: true, force: true });
  await run(python.program, ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(program, [...pip, '--require-hashes', '-r', REQUIREMENTS]);
  await writeFile(`${stamp}.new`, '');
  await rename(`${stamp}.new`, stamp);
  return program;
}
