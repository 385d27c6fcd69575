import { RUNTIMES } from '../servers/index.ts';
import { runtimeStep } from './runtime-step.ts';
import type { Step } from './step.mjs';

/** What the programs of stacks run on, as far as it comes neither with the npm packages nor on demand. */
export const runtimes: readonly Step[] = RUNTIMES.flatMap(({ name, program, onDemand, install }) =>
  install && !onDemand ? [runtimeStep({ name, program, install })] : [],
);
