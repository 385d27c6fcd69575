import { FORMAT } from '../../records/format.ts';
import type { InvocationRecord } from '../../records/invocation.ts';
import type { EndOfLooks, LookRecord } from '../../records/look.ts';
import type { Observation } from '../../records/observation.ts';
import type { PlanRecord, StoppingRule } from '../../records/run.ts';
import { toldConditions } from '../../report/summary/looks.ts';

/** What a look is made from. */
export interface LookSource {
  plan: PlanRecord;
  stopping: StoppingRule;
  /** Of the invocation that looks. */
  invocation: string;
  invocations: readonly InvocationRecord[];
  observations: readonly Observation[];
  before: readonly LookRecord[];
}

/**
 * Looks at a run: which conditions are told, and whether it has come to its end. The error may be spent as fast as budget or
 * repetitions are, whichever is faster, and wholly at the end.
 */
export function takeLook(
  { plan, stopping, invocation, invocations, observations, before }: LookSource,
  elapsedMs: number,
  end: Exclude<EndOfLooks, 'told'> | null,
  now = new Date(),
): LookRecord {
  const most = observations.reduce((largest, { block }) => Math.max(largest, block), 0);
  const spent = Math.max(elapsedMs / stopping.budgetMs, most / plan.repetitions);
  const fraction = end === null ? Math.min(1, Math.max(spent, before.at(-1)?.fraction ?? 0)) : 1;
  const order = observations.at(-1)?.order ?? 0;
  const looks = [...before, { order, fraction }];
  const { told, all } = toldConditions(plan, { invocations, observations, looks });
  return {
    ...FORMAT,
    invocation,
    at: now.toISOString(),
    order,
    elapsedMs,
    fraction,
    told,
    end: all ? 'told' : end,
  };
}
