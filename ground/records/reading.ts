import { object, orNull, type TSchema, text } from './schema.ts';

/** A value and where it was read. */
export interface Reading<Value> {
  /** null: this system does not tell. */
  value: Value | null;
  from: string;
}

/** The schema of a reading. */
export const reading = <Value extends TSchema>(value: Value, description: string) =>
  object(
    { value: orNull(value, 'null: this system does not tell.'), from: text('Where it was read.') },
    description,
  );
