import { plannedIdOf } from '../../ground/records/attempt.ts';
import type { LookRecord } from '../../ground/records/look.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';

export const progressSchema = s.object(
  {
    plannedPageLoads: s.count('Loads planned, without warm-ups.'),
    donePageLoads: s.count('Of these, those with a record; loads that were given up have one.'),
    plannedWarmups: s.count('Warm-ups planned.'),
    doneWarmups: s.count('Of these.'),
    complete: s.flag('false: the run ended before its plan, or its rule, ended it.'),
  },
  'Planned against done.',
);

export type Progress = s.Static<typeof progressSchema>;

/** Progress of the run, by the loads of one attempt at each block. */
export function progressOf(
  { trials, stopping }: Pick<RunRecord, 'trials' | 'stopping'>,
  observations: readonly Observation[],
  looks: readonly LookRecord[] = [],
): Progress {
  const plannedWarmups = trials.filter((trial) => trial.warmup).length;
  // Restarted servers are warmed up again, with loads that are not planned.
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
