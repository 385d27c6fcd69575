import { STACKS } from '../../servers/index.ts';
import type { Stack } from '../../servers/stack.ts';

const { TEST_STACKS } = process.env;

/**
 * The stacks that are tried one by one: those of a run that names none; all of them where TEST_STACKS=all, as in
 * `npm run test:long`; or those that it names.
 */
export const TESTED_STACKS: readonly Stack[] = STACKS.filter(({ stack, byDefault }) =>
  TEST_STACKS === undefined
    ? byDefault
    : TEST_STACKS === 'all' || TEST_STACKS.split(',').includes(stack),
);
if (TESTED_STACKS.length === 0) throw new Error(`TEST_STACKS=${TEST_STACKS} names no stack`);
