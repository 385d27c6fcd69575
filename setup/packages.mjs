import { existsSync, readFileSync } from 'node:fs';
import { run } from './command.mjs';
import { fingerprint, inProject } from './folders.mjs';
import { installFromLock } from './npm.mjs';
import { SetupError } from './setup-error.mjs';
import { stampedStep } from './stamped-step.mjs';

/** Packages that are programs: their install scripts, which package.json allows, fetch or link the binary for this machine. */
const PROGRAMS = Object.entries(
  JSON.parse(readFileSync(inProject('package.json'), 'utf8')).allowScripts,
).flatMap(([name, allowed]) => (allowed ? [name] : []));

/** npm packages from the lock file, Node 24 among them. */
export const packages = stampedStep('packages', {
  title: 'installing npm packages from the lock file',
  wanted: () => fingerprint('package.json', 'package-lock.json'),
  isThere: () => PROGRAMS.every((name) => existsSync(inProject('node_modules', '.bin', name))),
  async make() {
    if (!(await installFromLock())) {
      throw new SetupError('npm ci failed; its messages are above. Is the network there?');
    }
    for (const name of PROGRAMS) {
      const version = await run(inProject('node_modules', '.bin', name), ['--version']);
      if (!version.ok) {
        throw new SetupError(
          `The npm package ${name} does not run here: ${version.output}. Its install script may have been kept from running (npm config get ignore-scripts).`,
        );
      }
    }
  },
});
