import type {
  Static,
  TArray,
  TBoolean,
  TInteger,
  TLiteral,
  TNumber,
  TObject,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnsafe,
} from 'typebox';

export type { Static, TSchema };

/**
 * A JSON Schema as one of which TypeBox tells the type of its values. Nothing of TypeBox is loaded: its builders are hundreds of files,
 * for which every command would wait.
 */
const schemaOf = <Schema extends TSchema>(schema: object) => schema as Schema;

/** Limits of a number. */
interface Range {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

const FROM_ZERO: Range = { minimum: 0 };

/** Text, which may be empty. */
export const text = (description: string) => schemaOf<TString>({ type: 'string', description });

/** A name: text that is not empty. */
export const name = (description: string) =>
  schemaOf<TString>({ type: 'string', description, minLength: 1 });

/** A point in time, ISO 8601 in UTC: 2026-11-20T10:00:00.000Z. */
export const moment = (description: string) =>
  schemaOf<TString>({ type: 'string', description, format: 'date-time', pattern: 'Z$' });

/** 64 hexadecimal digits in lower case. */
export const sha256 = (description: string) =>
  schemaOf<TString>({ type: 'string', description, pattern: '^[0-9a-f]{64}$' });

/** Path of a file in one of the folders below a run's folder, and nowhere else: har/a.har. */
export const filePath = (description: string) =>
  schemaOf<TString>({ type: 'string', description, pattern: '^[a-z][a-z-]*/[^/]*[^/.][^/]*$' });

export const flag = (description: string) => schemaOf<TBoolean>({ type: 'boolean', description });

/** A number that is not negative unless said otherwise. */
export const number = (description: string, range: Range = FROM_ZERO) =>
  schemaOf<TNumber>({ type: 'number', description, ...range });

/** A number of any sign. */
export const anyNumber = (description: string) =>
  schemaOf<TNumber>({ type: 'number', description });

/** A whole number that is not negative unless said otherwise. */
export const count = (description: string, range: Range = FROM_ZERO) =>
  schemaOf<TInteger>({ type: 'integer', description, ...range });

/** A share of 100. */
export const percent = (description: string) =>
  schemaOf<TNumber>({ type: 'number', description, minimum: 0, maximum: 100 });

/** One of some words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  description: string,
): TUnsafe<Word> {
  return schemaOf<TUnsafe<Word>>({ description, enum: [...words] });
}

/** The same value always. */
export const constant = <const Value extends string | number>(value: Value, description: string) =>
  schemaOf<TLiteral<Value>>({ type: typeof value, const: value, description });

/** Those that an object may lack. Nothing of it stands in the schema of the field itself. */
const OPTIONAL = new WeakSet<TSchema>();

/** An object with these fields, and whatever later versions add. */
export function object<Fields extends TProperties>(
  fields: Fields,
  description: string,
): TObject<Fields> {
  const required = Object.entries(fields).flatMap(([field, schema]) =>
    OPTIONAL.has(schema) ? [] : [field],
  );
  return schemaOf<TObject<Fields>>({
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: fields,
    description,
  });
}

/** An object whose field names are data. */
export function map<Value extends TSchema>(
  value: Value,
  description: string,
): TUnsafe<Record<string, Static<Value>>> {
  return schemaOf<TUnsafe<Record<string, Static<Value>>>>({
    description,
    type: 'object',
    additionalProperties: value,
  });
}

export const list = <Item extends TSchema>(item: Item, description: string) =>
  schemaOf<TArray<Item>>({ type: 'array', items: item, description });

/** A list of at least one entry, each of them once. */
export const distinct = <Item extends TSchema>(item: Item, description: string) =>
  schemaOf<TArray<Item>>({
    type: 'array',
    items: item,
    description,
    minItems: 1,
    uniqueItems: true,
  });

/** A field that older records lack. */
export function optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  const field = { ...schema };
  OPTIONAL.add(field);
  return schemaOf<TOptional<Schema>>(field);
}

/** The same, or null. ajv tells the two apart by `type` and `enum`, so that its complaint names both. */
export function orNull<Schema extends TSchema>(
  schema: Schema,
  description?: string,
): TUnsafe<Static<Schema> | null> {
  const plain = JSON.parse(JSON.stringify(schema)) as { type?: string; enum?: unknown[] };
  return schemaOf<TUnsafe<Static<Schema> | null>>({
    ...plain,
    ...(description !== undefined && { description }),
    ...(plain.type !== undefined && { type: [plain.type, 'null'] }),
    ...(plain.enum && { enum: [...plain.enum, null] }),
  });
}

/** The same schema with another description. */
export function described<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/** The same schema for values of which the program knows more than a schema can say. */
export const typed = <Value>(schema: TSchema): TUnsafe<Value> =>
  schemaOf<TUnsafe<Value>>({ ...schema });
