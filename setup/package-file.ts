import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { PackageFile } from '../ground/experiment.ts';
import { fingerprint, hasStamp, inMade, inProject } from './folders.mjs';
import { installFromLock } from './npm.mjs';
import { SetupError } from './setup-error.mjs';
import { stampedStep } from './stamped-step.mjs';
import type { Step } from './step.mjs';

const stampOf = ({ folder }: PackageFile) => `package-${path.basename(folder)}`;

/** Installs one file of an npm package that may contain many more. */
export function packageFile(wanted: PackageFile): Step {
  const { title, folder, file, place } = wanted;
  const madeFrom = ['package.json', 'package-lock.json'].map((name) => path.join(folder, name));
  return stampedStep(stampOf(wanted), {
    title: `fetching ${title}`,
    wanted: () => fingerprint(...madeFrom),
    isThere: () => existsSync(place),
    async make() {
      const unpacked = inMade('.setup', 'unpacked');
      // Left behind by a killed set-up.
      rmSync(unpacked, { recursive: true, force: true });
      try {
        mkdirSync(unpacked, { recursive: true });
        for (const each of madeFrom) {
          copyFileSync(inProject(each), path.join(unpacked, path.basename(each)));
        }
        if (!(await installFromLock('--ignore-scripts', '--prefix', unpacked))) {
          throw new SetupError(
            `${title} could not be installed; npm's messages are above. Is the network there?`,
          );
        }
        mkdirSync(path.dirname(place), { recursive: true });
        renameSync(path.join(unpacked, 'node_modules', file), place);
      } finally {
        rmSync(unpacked, { recursive: true, force: true });
      }
    },
  });
}

/** Whether it was requested before; later set-ups keep it current. */
export function wasRequested(wanted: PackageFile): boolean {
  return hasStamp(stampOf(wanted));
}
