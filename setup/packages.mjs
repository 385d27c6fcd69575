import { existsSync, readFileSync } from 'node:fs';
import { isPackage, packagedProgram } from '../ground/system/folders.mjs';
import { run } from './command.mjs';
import { fingerprint, inProject } from './folders.mjs';
import { installFromLock } from './npm.mjs';
import { SetupError } from './setup-error.mjs';
import { stampedStep } from './stamped-step.mjs';

/** Packages that are programs: their install scripts, which package.json allows, fetch or link the binary for this machine. */
const PROGRAMS = Object.entries(
  JSON.parse(readFileSync(inProject('package.json'), 'utf8')).allowScripts,
).flatMap(([name, allowed]) => (allowed ? [name] : []));

/** npm packages from the lock file, Node 24 among them. npm itself installed those of an installed package. */
export const packages = stampedStep('packages', {
  title: isPackage ? 'trying the npm packages' : 'installing npm packages from the lock file',
  wanted: () => fingerprint('package.json', ...(isPackage ? [] : ['package-lock.json'])),
  isThere: () => PROGRAMS.every((name) => existsSync(packagedProgram(name))),
  async make() {
    if (!isPackage && !(await installFromLock())) {
      throw new SetupError('npm ci failed; its messages are above. Is the network there?');
    }
    for (const name of PROGRAMS) {
      const version = await run(packagedProgram(name), ['--version']);
      if (!version.ok) {
        throw new SetupError(
          `The npm package ${name} does not run here: ${version.output}. Its install script may have been kept from running: npm config get ignore-scripts, or an npm that asks before it runs scripts.`,
        );
      }
    }
  },
});
