import * as s from './schema.ts';

/** A value and where it was read. */
export interface Reading<Value> {
  /** null: not reported by this system. */
  value: Value | null;
  from: string;
}

export const reading = <Value extends s.TSchema>(value: Value, description: string) =>
  s.object(
    {
      value: s.orNull(value, 'null: not reported by this system.'),
      from: s.text('Where it was read.'),
    },
    description,
  );
