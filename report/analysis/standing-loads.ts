import { standingAttempt } from '../../records/counted-loads.ts';
import type { PageLoad } from '../../records/page-load.ts';
import type { RunRecord } from '../../records/run.ts';
import { blockKey } from './blocks.ts';

/** The loads of a run, those of needless attempts apart. */
export interface AttemptsApart {
  /** Of one attempt at each block, with all warm-ups: all that any number is about. */
  standing: readonly PageLoad[];
  /** Of other attempts at the same blocks. */
  setAside: readonly PageLoad[];
}

/** Takes one attempt at each block: a block that was begun on one worker and begun again on another one counts once. */
export function attemptsApart(
  { trials }: Pick<RunRecord, 'trials'>,
  pageLoads: readonly PageLoad[],
): AttemptsApart {
  const begunAgain = new Set(
    pageLoads.filter(({ attempt, warmup }) => attempt > 1 && !warmup).map(blockKey),
  );
  if (begunAgain.size === 0) return { standing: pageLoads, setAside: [] };
  const isAgain = (load: PageLoad) => !load.warmup && begunAgain.has(blockKey(load));
  const planned = Map.groupBy(
    trials.filter(({ warmup }) => !warmup),
    blockKey,
  );
  const standing = new Set(
    [...Map.groupBy(pageLoads.filter(isAgain), blockKey)].flatMap(([key, made]) => {
      const stacks = (planned.get(key) ?? []).map(({ stack }) => stack);
      return standingAttempt(stacks, made);
    }),
  );
  const isAside = (load: PageLoad) => isAgain(load) && !standing.has(load);
  return {
    standing: pageLoads.filter((load) => !isAside(load)),
    setAside: pageLoads.filter(isAside),
  };
}
