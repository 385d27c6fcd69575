import { existsSync, readFileSync } from 'node:fs';
import { run } from './command.mjs';
import { fingerprint, inProject, readStamp, writeStamp } from './folders.mjs';
import { installFromLock } from './npm.mjs';
import { SetupError } from './step.mjs';

/** Packages that are programs: their install scripts, which package.json allows, fetch or link the binary for this machine. */
const PROGRAMS = Object.entries(
  JSON.parse(readFileSync(inProject('package.json'), 'utf8')).allowScripts,
).flatMap(([name, allowed]) => (allowed ? [name] : []));

/**
 * npm packages from the lock file, Node 24 among them.
 * @type {import('./step.mjs').Step}
 */
export const packages = {
  title: 'installing npm packages from the lock file',
  isDone: () =>
    readStamp('packages') === wanted() &&
    PROGRAMS.every((name) => existsSync(inProject('node_modules', '.bin', name))),
  run() {
    if (!installFromLock()) {
      throw new SetupError('npm ci failed; its messages are above. Is the network there?');
    }
    for (const name of PROGRAMS) {
      const version = run(inProject('node_modules', '.bin', name), ['--version']);
      if (!version.ok) {
        throw new SetupError(
          `The npm package ${name} does not run here: ${version.output}. Its install script may have been kept from running (npm config get ignore-scripts).`,
        );
      }
    }
    writeStamp('packages', wanted());
  },
};

const wanted = () => fingerprint('package.json', 'package-lock.json');
