import { blockKey } from '../../records/cell.ts';
import { standingAttempt } from '../../records/counted-loads.ts';
import type { Observation } from '../../records/observation.ts';
import type { RunRecord } from '../../records/run.ts';

/** The loads of a run, those of needless attempts apart. */
export interface AttemptsApart {
  /** Of one attempt at each block, with all warm-ups: all that any number is about. */
  standing: readonly Observation[];
  /** Of other attempts at the same blocks. */
  setAside: readonly Observation[];
}

/** Takes one attempt at each block: a block that was begun on one worker and begun again on another one counts once. */
export function attemptsApart(
  { trials }: Pick<RunRecord, 'trials'>,
  observations: readonly Observation[],
): AttemptsApart {
  const begunAgain = new Set(
    observations.filter(({ attempt, warmup }) => attempt > 1 && !warmup).map(blockKey),
  );
  if (begunAgain.size === 0) return { standing: observations, setAside: [] };
  const isAgain = (load: Observation) => !load.warmup && begunAgain.has(blockKey(load));
  const planned = Map.groupBy(
    trials.filter(({ warmup }) => !warmup),
    blockKey,
  );
  const standing = new Set(
    [...Map.groupBy(observations.filter(isAgain), blockKey)].flatMap(([key, made]) => {
      const arms = (planned.get(key) ?? []).map(({ arm }) => arm);
      return standingAttempt(arms, made);
    }),
  );
  const isAside = (load: Observation) => isAgain(load) && !standing.has(load);
  return {
    standing: observations.filter((load) => !isAside(load)),
    setAside: observations.filter(isAside),
  };
}
