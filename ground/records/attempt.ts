import type { Observation } from './observation.ts';

const ATTEMPT_SUFFIX = /~(\d+)$/;

/** Id of a load in an attempt at its block: the planned id, and from the second attempt on `~` and its number. */
export function idOfAttempt(plannedId: string, attempt: number): string {
  return attempt === 1 ? plannedId : `${plannedId}~${attempt}`;
}

/** Number of the attempt at the block, from a load's id: 1, 2, 3 ... */
export function attemptOf(id: string): number {
  return Number(ATTEMPT_SUFFIX.exec(id)?.[1] ?? 1);
}

/** Planned id of a load of any attempt. */
export function plannedIdOf({ id }: Pick<Observation, 'id'>): string {
  return id.replace(ATTEMPT_SUFFIX, '');
}
