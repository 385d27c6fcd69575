/**
 * The id of the source to which an event's source belongs, or for which it was made; NaN without
 * one.
 */
export function dependencyOf(params: Record<string, unknown>): number {
  const { id } = (params.source_dependency ?? {}) as { id?: number };
  return id ?? Number.NaN;
}
