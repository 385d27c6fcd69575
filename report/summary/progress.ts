import { plannedIdOf } from '../../records/attempt.ts';
import type { LookRecord } from '../../records/look.ts';
import type { Observation } from '../../records/observation.ts';
import type { RunRecord } from '../../records/run.ts';

/** Planned against done. */
export interface Progress {
  plannedPageLoads: number;
  donePageLoads: number;
  plannedWarmups: number;
  doneWarmups: number;
  /** False when the run ended before its plan, or its rule, ended it. */
  complete: boolean;
}

/** How far the run came, by the loads of one attempt at each block. */
export function progressOf(
  { trials, stopping }: Pick<RunRecord, 'trials' | 'stopping'>,
  observations: readonly Observation[],
  looks: readonly LookRecord[] = [],
): Progress {
  const plannedWarmups = trials.filter((trial) => trial.warmup).length;
  // Servers that are started again are warmed up again: such loads are not planned.
  const planned = new Set(trials.map(({ id }) => id));
  const done = new Map(
    observations
      .map((load) => [plannedIdOf(load), load] as const)
      .filter(([id]) => planned.has(id)),
  );
  const doneWarmups = [...done.values()].filter((load) => load.warmup).length;
  const plannedPageLoads = trials.length - plannedWarmups;
  const donePageLoads = done.size - doneWarmups;
  return {
    plannedPageLoads,
    donePageLoads,
    plannedWarmups,
    doneWarmups,
    complete: stopping
      ? (looks.at(-1)?.end ?? null) !== null
      : donePageLoads >= plannedPageLoads && doneWarmups >= plannedWarmups,
  };
}
