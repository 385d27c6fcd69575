import type { PlannedStack } from '../../records/run.ts';

type NamedStack = Pick<PlannedStack, 'stack' | 'label'>;

/** Two stacks with the names that readers know. */
export interface NamedPair {
  stack: NamedStack;
  baseline: NamedStack;
}
