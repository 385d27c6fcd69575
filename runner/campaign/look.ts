import type { EndOfLooks, LookRecord } from '../../records/look.ts';
import type { PageLoad } from '../../records/page-load.ts';
import { RECORD_FORMAT_VERSION } from '../../records/page-load.ts';
import type { PlanRecord, StoppingRule } from '../../records/run.ts';
import type { SittingRecord } from '../../records/sitting.ts';
import { toldConditions } from '../../report/analysis/told-conditions.ts';

/** What a look is made from. */
export interface LookSource {
  plan: PlanRecord;
  stopping: StoppingRule;
  /** Of the sitting that looks. */
  sitting: string;
  sittings: readonly SittingRecord[];
  pageLoads: readonly PageLoad[];
  before: readonly LookRecord[];
}

/**
 * Looks at a run: which conditions are told, and whether it has come to its end. The error may be spent as fast as budget or
 * repetitions are, whichever is faster, and wholly at the end.
 */
export function takeLook(
  { plan, stopping, sitting, sittings, pageLoads, before }: LookSource,
  elapsedMs: number,
  end: Exclude<EndOfLooks, 'told'> | null,
  now = new Date(),
): LookRecord {
  const most = pageLoads.reduce((largest, { block }) => Math.max(largest, block), 0);
  const spent = Math.max(elapsedMs / stopping.budgetMs, most / plan.repetitions);
  const fraction = end === null ? Math.min(1, Math.max(spent, before.at(-1)?.fraction ?? 0)) : 1;
  const order = pageLoads.at(-1)?.order ?? 0;
  const looks = [...before, { order, fraction }];
  const { told, all } = toldConditions(plan, { sittings, pageLoads, looks });
  return {
    formatVersion: RECORD_FORMAT_VERSION,
    ...{ sitting, at: now.toISOString(), order, elapsedMs, fraction, told },
    end: all ? 'told' : end,
  };
}
