import { RUNTIMES } from '../ground/runtimes/index.ts';
import type { Runtime } from '../ground/runtimes/runtime.ts';
import { runtimeStep } from './runtime-step.ts';
import type { Step } from './step.mjs';

/** What the programs of stacks run on, as far as it comes neither with the npm packages nor on demand. */
export const runtimes: readonly Step[] = Object.entries<Runtime>(RUNTIMES).flatMap(
  ([name, { program, onDemand, install }]) =>
    install && !onDemand ? [runtimeStep(name, { program, install })] : [],
);
