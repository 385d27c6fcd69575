import type { Static, TSchema } from '../../records/schema.ts';

/** The fields of a record that a schema has, in the schema's order, without anything that the record may hold beside them. */
export function fieldsOf<Schema extends TSchema & { properties: object }>(
  { properties }: Schema,
  record: Static<Schema>,
): Static<Schema> {
  const fields = record as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(properties)
      .filter((name) => name in fields)
      .map((name) => [name, fields[name]]),
  ) as Static<Schema>;
}
