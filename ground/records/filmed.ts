import * as s from './schema.ts';

export const filmedSchema = s.optional(
  s.flag(
    'true: an extra load that was filmed, in no number of the run. Absent: not filmed, or before format 6.1.',
  ),
);

/** Trials or attempts without the filmed ones, which no number of a run includes. */
export function withoutFilmed<Each extends { filmed?: boolean }>(all: readonly Each[]): Each[] {
  return all.filter(({ filmed }) => !filmed);
}
