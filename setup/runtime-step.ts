import { existsSync } from 'node:fs';
import type { Runtime } from '../ground/runtimes/runtime.ts';
import { run } from './command.mjs';
import { fingerprint } from './folders.mjs';
import { SetupError } from './setup-error.mjs';
import { stampedStep } from './stamped-step.mjs';
import type { Step } from './step.mjs';

/** Installs a runtime, again when its sources change. */
export function runtimeStep({
  name,
  program,
  install,
}: Pick<Required<Runtime>, 'name' | 'program' | 'install'>): Step {
  return stampedStep(name, {
    title: install.title,
    wanted: () => fingerprint(...install.madeFrom),
    isThere: () => existsSync(program),
    async make() {
      const trouble = await install.run(run);
      if (trouble !== null) throw new SetupError(trouble);
    },
  });
}
