import type { LeftOut } from '../ground/records/run.ts';
import { type Stack, serverStackOf } from '../ground/stack.ts';
import { ServerError, UnusableStacksError } from '../ground/system/errors.ts';
import type { Options } from './options.ts';

/**
 * Stacks that a new run has to leave out because of an error before its first attempt.
 * @throws the error itself if it is not about stacks, if fewer than two arms would be left, or if other runs have the same plan
 */
export function stacksToLeaveOut(
  error: unknown,
  { stacks, invocation }: Pick<Options, 'stacks' | 'invocation'>,
): LeftOut[] {
  const { plan, resume, shard, queue } = invocation;
  const isShared = [plan, resume, shard, queue].some((each) => each !== null);
  const failed = failedStacks(error);
  const unusable = stacks.filter(
    (each) => failed.includes(each.stack) || failed.includes(serverStackOf(each)),
  );
  const names = new Set(unusable.map(requestedName));
  const rest = stacks.filter((each) => !each.controlOf && !names.has(requestedName(each)));
  if (isShared || names.size === 0 || rest.length < 2) throw error;
  return [...names].map((stack) => ({ stack, reason: reasonOf(error as Error) }));
}

function requestedName({ stack, serverStack, controlOf }: Stack): string {
  return serverStack?.stack ?? controlOf ?? stack;
}

/** Names of the stacks that an error is about. */
function failedStacks(error: unknown): readonly string[] {
  if (error instanceof UnusableStacksError) return error.stacks;
  return error instanceof ServerError ? [error.server] : [];
}

/** Without the name of the server's log, which goes with the path. */
function reasonOf(error: Error): string {
  if (error instanceof UnusableStacksError) return error.reason;
  const [first = '', ...log] = error.message.split('\n');
  const last = log.at(-1)?.trim();
  return first.replace(/ The end of its log \(.*\):$/, last ? ` Its log ends: ${last}` : '');
}
