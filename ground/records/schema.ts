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

/**
 * A JSON Schema with the type that TypeBox knows it by. TypeBox tells types from schemas, and has no part in the running program: to
 * load it would take a tenth of a second and 20 MB in every command.
 */
const jsonSchema = <Schema extends TSchema>(keywords: object) => keywords as Schema;

/** Set on the schema of a field that may be missing, where no validator sees it. */
const OPTIONAL = Symbol('optional');

const FROM_ZERO: Range = { minimum: 0 };
/** Beyond it a number is no count any more. */
const MOST_COUNT = Number.MAX_SAFE_INTEGER;

/** Text, which may be empty. */
export const text = (description: string) => jsonSchema<TString>({ type: 'string', description });

/** A name: text that is not empty. */
export const name = (description: string) =>
  jsonSchema<TString>({ type: 'string', description, minLength: 1 });

/** A point in time, ISO 8601 in UTC: 2026-11-20T10:00:00.000Z. */
export const moment = (description: string) =>
  jsonSchema<TString>({ type: 'string', description, format: 'date-time', pattern: 'Z$' });

/** 64 hexadecimal digits in lower case. */
export const sha256 = (description: string) =>
  jsonSchema<TString>({ type: 'string', description, pattern: '^[0-9a-f]{64}$' });

/** A name that becomes a part of a path. */
export const fileName = (description: string) =>
  jsonSchema<TString>({ type: 'string', description, pattern: FILE_NAME_PATTERN });

/** Path of a file in one of the folders below a run's folder, and nowhere else: har/a.har. */
export const filePath = (description: string) =>
  jsonSchema<TString>({ type: 'string', description, pattern: FILE_PATH_PATTERN });

export const flag = (description: string) => jsonSchema<TBoolean>({ type: 'boolean', description });

/** A number that is not negative unless said otherwise. */
export const number = (description: string, range: Range = FROM_ZERO) =>
  jsonSchema<TNumber>({ type: 'number', description, ...range });

/** A number of any sign. */
export const anyNumber = (description: string) =>
  jsonSchema<TNumber>({ type: 'number', description });

/** A whole number that is not negative unless said otherwise. */
export const count = (description: string, range: Range = FROM_ZERO) =>
  jsonSchema<TInteger>({ type: 'integer', description, maximum: MOST_COUNT, ...range });

/** A share of 100. */
export const percent = (description: string) =>
  jsonSchema<TNumber>({ type: 'number', description, minimum: 0, maximum: 100 });

/** One of some words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  description: string,
): TUnsafe<Word> {
  return jsonSchema<TUnsafe<Word>>({ description, enum: [...words] });
}

/** The same value always. */
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

/** A list of at least one entry, each of them once. */
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

/** The same, or null. ajv tells the two apart by `type` and `enum`, so that its complaint names both. */
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

/** The same schema with another description. */
export function withDescription<Schema extends TSchema>(
  schema: Schema,
  description: string,
): Schema {
  return { ...schema, description };
}

/** The same schema for values of which the program knows more than a schema can say. */
export const withType = <Value>(keywords: TSchema) => jsonSchema<TUnsafe<Value>>({ ...keywords });

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
