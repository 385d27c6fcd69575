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

import { FILE_NAME_PATTERN, FILE_PATH_PATTERN } from './file-name.ts';

export type { Static, TSchema };

interface Range {
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

/** A JSON Schema with its TypeBox type. TypeBox only provides types: loading it would cost every command a tenth of a second and 20 MB. */
const jsonSchema = <Schema extends TSchema>(keywords: object) => keywords as Schema;

/** Marks optional fields; invisible to validators. */
const OPTIONAL = Symbol('optional');

const FROM_ZERO: Range = { minimum: 0 };
/** Larger numbers are not exact. */
const MOST_COUNT = Number.MAX_SAFE_INTEGER;

/** Text, possibly empty. */
export const text = (description: string) => jsonSchema<TString>({ type: 'string', description });

/** Text that is not empty. */
export const name = (description: string) =>
  jsonSchema<TString>({ type: 'string', description, minLength: 1 });

/** A point in time, ISO 8601 in UTC: 2026-11-20T10:00:00.000Z. */
export const moment = (description: string) =>
  jsonSchema<TString>({ type: 'string', description, format: 'date-time', pattern: 'Z$' });

export const matching = (pattern: string, description: string) =>
  jsonSchema<TString>({ type: 'string', description, pattern });

/** 64 hexadecimal digits in lower case. */
export const sha256 = (description: string) => matching('^[0-9a-f]{64}$', description);

/** A name that becomes a part of a path. */
export const fileName = (description: string) =>
  jsonSchema<TString>({ type: 'string', description, pattern: FILE_NAME_PATTERN });

/** Path of a file in a subfolder of a run's folder: har/a.har. */
export const filePath = (description: string) =>
  jsonSchema<TString>({ type: 'string', description, pattern: FILE_PATH_PATTERN });

export const flag = (description: string) => jsonSchema<TBoolean>({ type: 'boolean', description });

/** A number, by default not negative. */
export const number = (description: string, range: Range = FROM_ZERO) =>
  jsonSchema<TNumber>({ type: 'number', description, ...range });

/** A number of any sign. */
export const anyNumber = (description: string) =>
  jsonSchema<TNumber>({ type: 'number', description });

/** A whole number, by default not negative. */
export const count = (description: string, range: Range = FROM_ZERO) =>
  jsonSchema<TInteger>({ type: 'integer', description, maximum: MOST_COUNT, ...range });

/** 0 to 100. */
export const percent = (description: string) =>
  jsonSchema<TNumber>({ type: 'number', description, minimum: 0, maximum: 100 });

export function oneOf<const Word extends string>(
  words: readonly Word[],
  description: string,
): TUnsafe<Word> {
  return jsonSchema<TUnsafe<Word>>({ description, enum: [...words] });
}

export const constant = <const Value extends string | number>(value: Value, description: string) =>
  jsonSchema<TLiteral<Value>>({ type: typeof value, const: value, description });

/** An object with these fields, and any that later versions add. */
export const object = <Fields extends TProperties>(fields: Fields, description: string) =>
  jsonSchema<TObject<Fields>>({
    type: 'object',
    required: Object.keys(fields).filter((name) => !(OPTIONAL in (fields[name] ?? {}))),
    properties: fields,
    description,
  });

/** An object whose field names are data. */
export function map<Value extends TSchema>(
  value: Value,
  description: string,
): TUnsafe<Record<string, Static<Value>>> {
  return jsonSchema<TUnsafe<Record<string, Static<Value>>>>({
    description,
    type: 'object',
    additionalProperties: value,
  });
}

export const list = <Item extends TSchema>(item: Item, description: string) =>
  jsonSchema<TArray<Item>>({ type: 'array', items: item, description });

/** A list of at least one entry, without duplicates. */
export const distinct = <Item extends TSchema>(item: Item, description: string) =>
  jsonSchema<TArray<Item>>({
    type: 'array',
    items: item,
    description,
    minItems: 1,
    uniqueItems: true,
  });

/** A field that older records lack. */
export const optional = <Schema extends TSchema>(field: Schema) =>
  jsonSchema<TOptional<Schema>>({ ...field, [OPTIONAL]: true });

/** A nullable schema. Both `type` and `enum` contain null, so that messages of ajv name both. */
export function orNull<Schema extends TSchema>(
  schema: Schema,
  description?: string,
): TUnsafe<Static<Schema> | null> {
  const plain = JSON.parse(JSON.stringify(schema)) as {
    type?: string | string[];
    enum?: unknown[];
  };
  return jsonSchema<TUnsafe<Static<Schema> | null>>({
    ...plain,
    ...(description !== undefined && { description }),
    ...(plain.type !== undefined && { type: [plain.type, 'null'].flat() }),
    ...(plain.enum && { enum: [...plain.enum, null] }),
  });
}

export function withDescription<Schema extends TSchema>(
  schema: Schema,
  description: string,
): Schema {
  return { ...schema, description };
}

/** A schema with a narrower TypeScript type. */
export const withType = <Value>(keywords: TSchema) => jsonSchema<TUnsafe<Value>>({ ...keywords });

/** Fields of a record that are in the schema, in its order. */
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
