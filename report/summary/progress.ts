import { plannedIdOf } from '../../ground/records/attempt.ts';
import type { LookRecord } from '../../ground/records/look.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import { count, flag, object, type Static } from '../../ground/records/schema.ts';

export const progressSchema = object(
  {
    plannedPageLoads: count('Loads planned, without warm-ups.'),
    donePageLoads: count('Of these, those that have a row; what was given up has one.'),
    plannedWarmups: count('Warm-ups planned.'),
    doneWarmups: count('Of these.'),
    complete: flag('false: the run ended before its plan, or its rule, ended it.'),
  },
  'Planned against done.',
);

export type Progress = Static<typeof progressSchema>;

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
