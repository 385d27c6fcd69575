import { existsSync } from 'node:fs';
import { RUNTIMES } from '../servers/runtimes/index.ts';
import type { Runtime } from '../servers/runtimes/runtime.ts';
import { run } from './command.mjs';
import { fingerprint, readStamp, writeStamp } from './folders.mjs';
import { SetupError, type Step } from './step.mjs';

/** What the programs of stacks run on, as far as it does not come with the npm packages. */
export const runtimes: readonly Step[] = Object.entries<Runtime>(RUNTIMES).flatMap(
  ([name, { program, install }]) => {
    if (!install) return [];
    const wanted = () => fingerprint(...install.madeFrom);
    return {
      title: install.title,
      isDone: () => readStamp(name) === wanted() && existsSync(program),
      run() {
        const trouble = install.run(run);
        if (trouble !== null) throw new SetupError(trouble);
        writeStamp(name, wanted());
      },
    };
  },
);
