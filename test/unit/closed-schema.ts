import type { TSchema } from '../../ground/records/schema.ts';

/** The part of JSON Schema that is used here. */
interface Part {
  properties?: Record<string, Part>;
  additionalProperties?: Part;
  items?: Part;
}

/** A schema with all its objects closed, so that an undescribed field is found. */
export function closed(schema: TSchema): object {
  return closedPart(schema as Part);
}

function closedPart({ properties, additionalProperties, items, ...rest }: Part): object {
  return {
    ...rest,
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
