import { existsSync } from 'node:fs';
import type { Runtime } from '../ground/runtimes/runtime.ts';
import { run } from './command.mjs';
import { fingerprint } from './folders.mjs';
import { SetupError } from './setup-error.mjs';
import { stampedStep } from './stamped-step.mjs';
import type { Step } from './step.mjs';

export type InstallableRuntime = Pick<Runtime, 'name' | 'program' | 'installs'> &
  Pick<Required<Runtime>, 'install'>;

/** Installs a runtime, again when its sources change. */
export function runtimeStep({
  name,
  program,
  installs = program,
  install,
}: InstallableRuntime): Step {
  return stampedStep(name, {
    title: install.title,
    wanted: () => fingerprint(...install.madeFrom),
    isThere: () => existsSync(installs),
    async make() {
      const trouble = await install.run(run);
      if (trouble !== null) throw new SetupError(trouble);
    },
  });
}
