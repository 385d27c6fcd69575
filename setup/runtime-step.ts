import { existsSync } from 'node:fs';
import type { Runtime } from '../servers/runtimes/runtime.ts';
import { run } from './command.mjs';
import { fingerprint, readStamp, writeStamp } from './folders.mjs';
import { SetupError, type Step } from './step.mjs';

/**
 * Installs a runtime, anew when what it is made from changes.
 * @param stamp where it is remembered what it was made from
 */
export function runtimeStep(
  stamp: string,
  { program, install }: Pick<Required<Runtime>, 'program' | 'install'>,
): Step {
  const wanted = () => fingerprint(...install.madeFrom);
  return {
    title: install.title,
    isDone: () => readStamp(stamp) === wanted() && existsSync(program),
    run() {
      const trouble = install.run(run);
      if (trouble !== null) throw new SetupError(trouble);
      writeStamp(stamp, wanted());
    },
  };
}
