import { DamagedRunError } from './damaged-run.ts';
import type { UnpinnedChoices } from './run.ts';
import type { Static, TSchema } from './schema.ts';
import { type SchemaCheck, schemaCheck } from './schema-check.ts';

/** Choices of one experiment: their key in `choices` of run.json, and their schema. */
export interface OwnChoices<Schema extends TSchema = TSchema> {
  name: string;
  schema: Schema;
}

/**
 * As ownChoices(), for choices that the experiment requires.
 * @throws DamagedRunError also where they are missing
 */
export function requiredChoices<Schema extends TSchema>(
  plan: Parameters<typeof ownChoices>[0],
  own: OwnChoices<Schema>,
): Static<Schema> {
  const found = ownChoices(plan, own);
  if (found === null) throw new DamagedRunError(`run.json: choices.${own.name} is missing.`);
  return found;
}

/** Compiling a check takes longer than using it. */
const CHECKS = new WeakMap<TSchema, SchemaCheck>();
const CHECKED = new WeakSet<object>();

/**
 * An experiment's own choices in a run or plan, which may come from another machine; null: missing.
 * @throws DamagedRunError where they violate their schema
 */
export function ownChoices<Schema extends TSchema>(
  { choices }: { choices: UnpinnedChoices },
  { name, schema }: OwnChoices<Schema>,
): Static<Schema> | null {
  const own = choices[name];
  if (own === undefined) return null;
  if (typeof own === 'object' && own !== null && CHECKED.has(own)) return own as Static<Schema>;
  const check = CHECKS.get(schema) ?? schemaCheck(schema);
  CHECKS.set(schema, check);
  const problem = check(own);
  if (problem !== null) throw new DamagedRunError(`run.json: choices.${name}: ${problem}.`);
  CHECKED.add(own as object);
  return own as Static<Schema>;
}
