import * as s from './schema.ts';

/** RFC 6793. */
export const MOST_SYSTEM_NUMBER = 2 ** 32 - 1;

/** A field next to an address. */
export const autonomousSystemField = s.optional(
  s.orNull(
    s.object(
      {
        number: s.count('Its number.', { minimum: 1, maximum: MOST_SYSTEM_NUMBER }),
        name: s.text('Its description in the table.'),
      },
      'An autonomous system.',
    ),
    'Autonomous system of the address by `--as-table`; null: AS 0 (not routed), or in no range. Absent: no table, no address, or before format 6.1.',
  ),
);

export type AutonomousSystem = NonNullable<s.Static<typeof autonomousSystemField>>;

/** `AS64500 EXAMPLE-NET`. @param system null: not routed */
export function systemText(system: AutonomousSystem | null): string {
  return system === null ? 'not routed' : `AS${system.number} ${system.name}`.trimEnd();
}
