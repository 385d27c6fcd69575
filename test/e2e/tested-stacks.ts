import { STACKS, type Stack } from '../../runner/stacks.ts';

/**
 * The stacks that are tried one by one: those of a run that names none, or all of them where TEST_STACKS=all, as in
 * `npm run test:long`.
 */
export const TESTED_STACKS: readonly Stack[] =
  process.env.TEST_STACKS === 'all' ? STACKS : STACKS.filter(({ byDefault }) => byDefault);
