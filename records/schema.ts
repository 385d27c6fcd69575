import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';

export type { Static, TSchema };

interface Range {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

const FROM_ZERO: Range = { minimum: 0 };

/** Text, which may be empty. */
export const text = (description: string) => Type.String({ description });

/** A name: text that is not empty. */
export const name = (description: string) => Type.String({ description, minLength: 1 });

/** A point in time, ISO 8601 in UTC: 2026-11-20T10:00:00.000Z. */
export const moment = (description: string) =>
  Type.String({ description, format: 'date-time', pattern: 'Z$' });

/** 64 hexadecimal digits in lower case. */
export const sha256 = (description: string) =>
  Type.String({ description, pattern: '^[0-9a-f]{64}$' });

/** Path of a file in one of the folders below a run's folder, and nowhere else: har/a.har. */
export const filePath = (description: string) =>
  Type.String({ description, pattern: '^[a-z][a-z-]*/[^/]*[^/.][^/]*$' });

export const flag = (description: string) => Type.Boolean({ description });

/** A number that is not negative unless said otherwise. */
export const number = (description: string, range: Range = FROM_ZERO) =>
  Type.Number({ description, ...range });

/** A number of any sign. */
export const anyNumber = (description: string) => Type.Number({ description });

/** A whole number that is not negative unless said otherwise. */
export const count = (description: string, range: Range = FROM_ZERO) =>
  Type.Integer({ description, ...range });

/** A share of 100. */
export const percent = (description: string) =>
  Type.Number({ description, minimum: 0, maximum: 100 });

/** One of some words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  description: string,
): TUnsafe<Word> {
  return Type.Unsafe<Word>({ description, enum: [...words] });
}

/** The same value always. */
export const constant = <const Value extends string | number>(value: Value, description: string) =>
  Type.Literal(value, { description });

/** An object with these fields, and any that later versions add. */
export const object = <Fields extends TProperties>(fields: Fields, description: string) =>
  Type.Object(fields, { description });

/** An object whose field names are data. */
export function map<Value extends TSchema>(
  value: Value,
  description: string,
): TUnsafe<Record<string, Static<Value>>> {
  return Type.Unsafe<Record<string, Static<Value>>>({
    description,
    type: 'object',
    additionalProperties: value,
  });
}

export const list = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { description });

/** A list of at least one entry, each of them once. */
export const distinct = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { description, minItems: 1, uniqueItems: true });

/** A field that older records lack. */
export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);

/** The same, or null. ajv tells the two apart by `type` and `enum`, so that its complaint names both. */
export function orNull<Schema extends TSchema>(
  schema: Schema,
  description?: string,
): TUnsafe<Static<Schema> | null> {
  const plain = JSON.parse(JSON.stringify(schema)) as {
    type?: string | string[];
    enum?: unknown[];
  };
  return Type.Unsafe<Static<Schema> | null>({
    ...plain,
    ...(description !== undefined && { description }),
    ...(plain.type !== undefined && { type: [plain.type, 'null'].flat() }),
    ...(plain.enum && { enum: [...plain.enum, null] }),
  });
}

/** The same schema with another description. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/** The same schema for values of which the program knows more than a schema can say. */
export const typed = <Value>(schema: TSchema): TUnsafe<Value> => Type.Unsafe<Value>({ ...schema });
