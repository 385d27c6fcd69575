import type { PlannedArm } from '../../records/run.ts';

type NamedStack = Pick<PlannedArm, 'arm' | 'label'>;

/** Two stacks with the names that readers know. */
export interface NamedPair {
  arm: NamedStack;
  baseline: NamedStack;
}
