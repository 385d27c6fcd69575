import type { ExcludedStack } from '../ground/records/run.ts';
import { isOwnArm, serverStackOf } from '../ground/stack.ts';
import { ServerError, UnusableStacksError } from '../ground/system/errors.ts';
import type { Options } from './options.ts';

/**
 * Stacks that a new run excludes because of an error before its first attempt.
 * @throws the error itself if it is not about stacks, if fewer than two arms would remain, or if other runs have the same plan
 */
export function stacksToExclude(
  error: unknown,
  { stacks, invocation }: Pick<Options, 'stacks' | 'invocation'>,
): ExcludedStack[] {
  const { plan, resume, shard, queue } = invocation;
  const isShared = [plan, resume, shard, queue].some((each) => each !== null);
  const failed = failedStacks(error);
  const unusable = stacks.filter(
    (each) => failed.includes(each.stack) || failed.includes(serverStackOf(each)),
  );
  // Without an arm that explains another one, the rest is measured as planned.
  const names = new Set(
    unusable.map((each) => (isOwnArm(each) ? serverStackOf(each) : each.stack)),
  );
  const rest = stacks.filter(
    (each) => isOwnArm(each) && !each.controlOf && !names.has(serverStackOf(each)),
  );
  if (isShared || names.size === 0 || rest.length < 2) throw error;
  return [...names].map((stack) => ({ stack, reason: reasonOf(error as Error) }));
}

/** Lines of the log in a reason. */
const LOG_LINES = 2;

/** Names of the stacks that an error is about. */
function failedStacks(error: unknown): readonly string[] {
  if (error instanceof UnusableStacksError) return error.stacks;
  return error instanceof ServerError ? [error.server] : [];
}

/** Without the name of the server's log, which goes with the path. */
function reasonOf(error: Error): string {
  if (error instanceof UnusableStacksError) return error.reason;
  const [first = '', ...log] = error.message.split('\n');
  const end = log.slice(-LOG_LINES).map((line) => line.trim());
  return [first.replace(/ The end of its log \(.*\):$/, ' Its log ends:'), ...end].join(' ');
}
