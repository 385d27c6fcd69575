import type { PageLoad } from '../records/page-load.ts';
import type { RunRecord } from '../records/run.ts';

/** Planned against done. A further attempt at a load is not counted here. */
export interface Progress {
  plannedPageLoads: number;
  donePageLoads: number;
  plannedWarmups: number;
  doneWarmups: number;
  /** False when the run ended before its plan did. */
  complete: boolean;
}

/** How far the run came. */
export function progressOf(
  { trials }: Pick<RunRecord, 'trials'>,
  pageLoads: readonly PageLoad[],
): Progress {
  const plannedWarmups = trials.filter((trial) => trial.warmup).length;
  // Servers that are started again are warmed up again: such loads are not planned.
  const planned = new Set(trials.map(({ id }) => id));
  const firstAttempts = pageLoads.filter(({ attempt, id }) => attempt <= 1 && planned.has(id));
  const doneWarmups = firstAttempts.filter((load) => load.warmup).length;
  const plannedPageLoads = trials.length - plannedWarmups;
  const donePageLoads = firstAttempts.length - doneWarmups;
  return {
    plannedPageLoads,
    donePageLoads,
    plannedWarmups,
    doneWarmups,
    complete: donePageLoads >= plannedPageLoads && doneWarmups >= plannedWarmups,
  };
}
