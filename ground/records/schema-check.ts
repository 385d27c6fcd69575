import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject, SchemaObject } from 'ajv/dist/2020.js';
import { PATTERN_WORDS } from './file-name.ts';

const require = createRequire(import.meta.url);

/** Returns the first problem as a short sentence with the field's path; null: valid. */
export type SchemaCheck = (value: unknown) => string | null;

/**
 * Creates a check of a JSON Schema (2020-12). It compiles the schema once, at the first use, so that commands
 * that read no records do not wait.
 * @throws Error, from the check, when the schema itself is wrong
 */
export function schemaCheck(schema: SchemaObject): SchemaCheck {
  let validate: ReturnType<Ajv2020['compile']> | null = null;
  return (value) => {
    validate ??= compile(schema);
    if (validate(value)) return null;
    const [error] = validate.errors ?? [];
    return error ? describeError(error, value) : 'does not have the form of its schema';
  };
}

function compile(schema: SchemaObject) {
  // Loaded lazily because the library loads slowly.
  const library: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
  const ajv = new library.Ajv2020({ strict: true, allowUnionTypes: true, verbose: true });
  ajv.addFormat('date-time', { type: 'string', validate: isMoment });
  return ajv.compile(schema);
}

/** Whether a text is an existing date and time in the format of RFC 3339. */
function isMoment(text: string): boolean {
  const [, date, day] =
    /^(\d{4}-\d\d-(\d\d))T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  if (date === undefined || Number.isNaN(Date.parse(text))) return false;
  // Date.parse reads 30 February as 1 or 2 March.
  return new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day);
}

function describeError(error: ErrorObject, root: unknown): string {
  const fieldPath = fieldPathOf(error.instancePath, root);
  if (error.keyword === 'required') {
    return `${joinFieldPath(fieldPath, error.params.missingProperty)} is missing`;
  }
  if (error.keyword === 'additionalProperties') {
    return `${joinFieldPath(fieldPath, error.params.additionalProperty)} is not a field of this format`;
  }
  if (fieldPath === '') return 'not an object';
  return `${fieldPath} is ${shortJson(error.data)}, expected ${expectedText(error)}`;
}

function expectedText({ keyword, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return [params.type].flat().join(' or ');
    case 'enum':
      return params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(' or ');
    case 'const':
      return JSON.stringify(params.allowedValue);
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `a number ${params.comparison} ${params.limit}`;
    case 'minLength':
      return 'text that is not empty';
    case 'minItems':
      return `at least ${params.limit} of them`;
    case 'uniqueItems':
      return 'each of them once';
    case 'format':
      return `a ${params.format}`;
    case 'pattern':
      return PATTERN_WORDS[params.pattern] ?? `text like ${params.pattern}`;
    default:
      return `another value: it ${message}`;
  }
}

/** `/sites/0/url` as `sites[0].url`. */
function fieldPathOf(instancePath: string, root: unknown): string {
  let fieldPath = '';
  let value = root;
  for (const step of instancePath.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    fieldPath = Array.isArray(value) ? `${fieldPath}[${key}]` : joinFieldPath(fieldPath, key);
    value = (value as Record<string, unknown>)[key];
  }
  return fieldPath;
}

/** Path of a field; names with special characters are quoted. */
function joinFieldPath(fieldPath: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${fieldPath}[${shortJson(key)}]`;
  return fieldPath === '' ? key : `${fieldPath}.${key}`;
}

/** The value as JSON, at most 60 characters. */
export function shortJson(value: unknown): string {
  const json = JSON.stringify(value) ?? 'missing';
  return json.length > 60 ? `${json.slice(0, 60)}...` : json;
}
