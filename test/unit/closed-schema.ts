import type { TSchema } from '../../ground/records/schema.ts';

/** As much of a JSON Schema as is walked here. */
interface Part {
  properties?: Record<string, Part>;
  additionalProperties?: Part;
  items?: Part;
}

/** A schema with all its objects closed, so that a field of which it says nothing is found. */
export function closed(schema: TSchema): object {
  return closedPart(schema as Part);
}

function closedPart({ properties, additionalProperties, items, ...others }: Part): object {
  return {
    ...others,
    ...(items && { items: closedPart(items) }),
    ...(additionalProperties && { additionalProperties: closedPart(additionalProperties) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, closedPart(part)]),
      ),
      additionalProperties: false,
    }),
  };
}
