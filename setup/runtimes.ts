import { RUNTIMES } from '../servers/index.ts';
import { runtimeStep } from './runtime-step.ts';
import type { Step } from './step.mjs';

/** Runtimes of stacks that are neither npm packages nor installed on demand. */
export const runtimes: readonly Step[] = RUNTIMES.flatMap(({ name, program, onDemand, install }) =>
  install && !onDemand ? [runtimeStep({ name, program, install })] : [],
);
