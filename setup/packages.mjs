import { existsSync, lstatSync } from 'node:fs';
import {
  BUN,
  bunProgram,
  isPackage,
  NODE,
  nodeProgram,
  PROGRAM_NEEDS,
} from '../ground/system/folders.mjs';
import { run } from './command.mjs';
import { fingerprint, inProject } from './folders.mjs';
import { installFromLock } from './npm.mjs';
import { SetupError } from './setup-error.mjs';
import { stampedStep } from './stamped-step.mjs';

const FOLDER = inProject('node_modules');

const PROGRAMS = { [NODE]: nodeProgram, [BUN]: bunProgram };

/** npm packages from the lock file, Node 24 among them. npm itself installed those of an installed package. */
export const packages = stampedStep('packages', {
  title: isPackage ? 'trying the npm packages' : 'installing npm packages from the lock file',
  wanted: () => fingerprint('package.json', ...(isPackage ? [] : ['package-lock.json'])),
  isThere: () => Object.values(PROGRAMS).every((program) => existsSync(program)),
  async make() {
    if (!isPackage) await install();
    for (const [name, program] of Object.entries(PROGRAMS)) {
      const version = await run(program, ['--version']);
      if (!version.ok) {
        throw new SetupError(
          `The npm package ${name} does not run here: ${version.output}. ${PROGRAM_NEEDS}`,
        );
      }
    }
  },
});

async function install() {
  // npm would delete the packages of the other folder.
  if (lstatSync(FOLDER, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new SetupError(`${FOLDER} is a symbolic link. Remove it: npm installs packages there.`);
  }
  if (!(await installFromLock())) {
    throw new SetupError('npm ci failed; its messages are above. Is the network there?');
  }
}
