import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUN, NODE, projectFolder } from '../../../ground/system/folders.mjs';
import { projectCopy } from './project-copy.ts';

/**
 * An npm that takes a moment and may have no second one next to it. Like the real one, it leaves an
 * incomplete folder when it is killed: programs are there before the packages are. If the file
 * `slow` exists, it runs until it is ended.
 */
const NPM = `
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
const slow = existsSync('slow');
const child = spawn('sleep', ['1000']);
appendFileSync('started', process.pid + ' ' + child.pid + '\\n');
mkdirSync('at-work');
rmSync('node_modules', { recursive: true, force: true });
for (const program of ['${NODE}/bin/node', '${BUN}/bin/bun']) {
  mkdirSync(path.join('node_modules', program, '..'), { recursive: true });
  symlinkSync(process.execPath, path.join('node_modules', program));
}
if (slow) setInterval(() => {}, 1000);
else setTimeout(() => {
  writeFileSync('node_modules/whole', '');
  rmSync('at-work', { recursive: true });
  process.exit(0);
}, 500);
`;

/** A run of set-up. */
export interface SetUpResult {
  process: ChildProcess;
  ended: Promise<{ status: number | null; stderr: string }>;
}

/** A project whose set-up has npm packages to install, and an npm of the test. */
export function setUpProject(scope: { after(remove: () => void): void }) {
  const { folder } = projectCopy(scope);
  const at = (...parts: string[]) => path.join(folder, ...parts);
  cpSync(path.join(projectFolder, 'setup.mjs'), at('setup.mjs'));
  writeFileSync(at('package.json'), '{}');
  writeFileSync(at('package-lock.json'), '{}');
  writeFileSync(at('npm.mjs'), NPM);
  return {
    at,
    start(): SetUpResult {
      const child = spawn(process.execPath, [at('setup.mjs'), '--only', 'packages'], {
        cwd: folder,
        env: { ...process.env, npm_execpath: at('npm.mjs') },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const ended = Promise.all([once(child, 'exit'), text(child.stderr)]).then(
        ([[status], stderr]) => ({ status, stderr }),
      );
      return { process: child, ended };
    },
    /** Process numbers of each started npm, with that of its child. */
    started: (): number[][] =>
      existsSync(at('started'))
        ? readFileSync(at('started'), 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => line.split(' ').map(Number))
        : [],
  };
}

/** Whether a process is there and has not ended. */
export function runs(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}

/** Waits until something holds, half a minute at most. */
export async function until(check: () => boolean): Promise<void> {
  for (let tries = 0; !check(); tries++) {
    if (tries > 300) throw new Error(`not so within 30 s: ${check}`);
    await sleep(100);
  }
}
