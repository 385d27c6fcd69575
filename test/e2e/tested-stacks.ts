import type { TestContext } from 'node:test';
import { onDemandRuntimes } from '../../ground/runtimes/runtime.ts';
import type { Stack } from '../../ground/stack.ts';
import { assertSetUp, isSetUp, setUpCommand } from '../../runner/machine.ts';
import { STACKS } from '../../servers/index.ts';
import { stackOfName } from '../../servers/stack-version.ts';

const { TEST_STACKS } = process.env;

/** Every stack that is set up on this machine. */
export const STACKS_HERE: readonly Stack[] = STACKS.filter(isSetUp);

/** Stacks that set-up installs on demand. */
export const STACKS_ON_DEMAND: readonly Stack[] = STACKS.filter(
  (stack) => onDemandRuntimes([stack]).length > 0,
);

/**
 * Stacks that are tested one by one: those of a run without named stacks; all that are set up with
 * TEST_STACKS=all, as in `npm run test:long`; or the named ones.
 */
export const TESTED_STACKS: readonly Stack[] =
  TEST_STACKS === undefined
    ? STACKS.filter(({ byDefault }) => byDefault)
    : TEST_STACKS === 'all'
      ? STACKS_HERE
      : TEST_STACKS.split(',').flatMap((name) => stackOfName(name, STACKS) ?? []);
/** Whether all cases of a sweep are tried, as in `npm run test:long`, or only representatives. */
export const TRIES_ALL = TEST_STACKS === 'all';

if (TESTED_STACKS.length === 0) throw new Error(`TEST_STACKS=${TEST_STACKS} names no stack`);
assertSetUp(TESTED_STACKS);

/** Reports the stacks that an exhaustive test skips because they are not set up. */
export function reportSkippedStacks(t: TestContext): void {
  const leftOut = STACKS.filter((stack) => !isSetUp(stack)).map(({ stack }) => stack);
  if (leftOut.length > 0) {
    t.diagnostic(`left out, not set up: ${leftOut.join(', ')}. Run: ${setUpCommand(leftOut)}`);
  }
}
