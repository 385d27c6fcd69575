import type { Observation } from './observation.ts';

const ATTEMPT_SUFFIX = /~(\d+)$/;

/** The id of a planned load in a further attempt at its block: the planned one, and the attempt behind a tilde. */
export function idOfAttempt(plannedId: string, attempt: number): string {
  return attempt === 1 ? plannedId : `${plannedId}~${attempt}`;
}

/** Which attempt at its block a load is of, as its id says: 1, 2, 3 ... */
export function attemptOf(id: string): number {
  return Number(ATTEMPT_SUFFIX.exec(id)?.[1] ?? 1);
}

/** The id that the plan has for a load, whichever attempt it is of. */
export function plannedIdOf({ id }: Pick<Observation, 'id'>): string {
  return id.replace(ATTEMPT_SUFFIX, '');
}
