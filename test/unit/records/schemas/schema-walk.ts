/** As much of a JSON Schema as the records' schemas use. */
export interface Schema {
  $id?: string;
  $ref?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: false | Schema;
  items?: Schema;
  $defs?: Record<string, Schema>;
}

/** A place of a record, for example `networks[].name`, and what the schema says of it; `{}` stands for any name. */
export interface Place {
  place: string;
  schema: Schema;
  /** Of the reference, when there is one, since it says more. */
  description: string | undefined;
}

/** Every place that a schema tells of, the record itself (an empty place) first. */
export function placesOfSchema(root: Schema): Place[] {
  const walk = (referring: Schema, place: string): Place[] => {
    const schema = resolved(referring, root);
    const below = [
      ...Object.entries(schema.properties ?? {}).map(
        ([name, property]) => [property, place === '' ? name : `${place}.${name}`] as const,
      ),
      ...(schema.items ? [[schema.items, `${place}[]`] as const] : []),
      ...(schema.additionalProperties
        ? [[schema.additionalProperties, `${place}{}`] as const]
        : []),
    ];
    const description = referring.description ?? schema.description;
    return [{ place, schema, description }, ...below.flatMap(([next, name]) => walk(next, name))];
  };
  return walk(root, '');
}

/** The names of the definitions that a schema refers to, each as often as it does. */
export function referencesIn(schema: unknown): string[] {
  const found = JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g);
  return Array.from(found, ([, name]) => name as string);
}

function resolved({ $ref, ...schema }: Schema, root: Schema): Schema {
  if ($ref === undefined) return schema;
  const definition = root.$defs?.[$ref.replace('#/$defs/', '')];
  if (definition === undefined) throw new Error(`${$ref} leads nowhere`);
  return definition;
}

/** A place of a value: how to get there, and the name that the schema's walk has for it. */
export interface ValuePlace {
  steps: (string | number)[];
  place: string;
  value: unknown;
}

/** Every place of a record in the same words; `mapPlaces` are those whose names are data. */
export function placesOfValue(record: unknown, mapPlaces: ReadonlySet<string>): ValuePlace[] {
  const walk = (value: unknown, place: string, steps: (string | number)[]): ValuePlace[] => {
    const below: ValuePlace[] = [];
    if (Array.isArray(value)) {
      for (const [index, entry] of value.entries()) {
        below.push(...walk(entry, `${place}[]`, [...steps, index]));
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, entry] of Object.entries(value)) {
        const field = place === '' ? name : `${place}.${name}`;
        below.push(...walk(entry, mapPlaces.has(place) ? `${place}{}` : field, [...steps, name]));
      }
    }
    return [{ steps, place, value }, ...below];
  };
  return walk(record, '', []);
}

/** A copy of a record with one place changed. */
export function changedAt<T>(
  record: T,
  steps: readonly (string | number)[],
  change: (parent: Record<string | number, unknown>, key: string | number) => void,
): T {
  // Not structuredClone(), which keeps parts that are one object in two places.
  const copy = JSON.parse(JSON.stringify(record)) as T;
  let parent = copy as Record<string | number, unknown>;
  for (const step of steps.slice(0, -1)) {
    parent = parent[step] as Record<string | number, unknown>;
  }
  change(parent, steps.at(-1) as string | number);
  return copy;
}
