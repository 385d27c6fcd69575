import { isOwnArm } from '../stack.ts';
import type { RunRecord } from './run.ts';

/** A run without the arms that only explain the results of the rest: no answer is about them. */
export function withoutExplaining<Run extends Pick<RunRecord, 'arms' | 'trials'>>(run: Run): Run {
  const arms = run.arms.filter(isOwnArm);
  return arms.length === run.arms.length
    ? run
    : { ...run, arms, trials: loadsOfArms({ arms }, run.trials) };
}

/** The loads of a run's arms. */
export function loadsOfArms<Load extends { arm: string }>(
  { arms }: Pick<RunRecord, 'arms'>,
  loads: readonly Load[],
): Load[] {
  const names = new Set(arms.map(({ arm }) => arm));
  return loads.filter(({ arm }) => names.has(arm));
}
