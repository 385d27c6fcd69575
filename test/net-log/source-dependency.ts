/** The id of what an event says that its source belongs to, or was made for; NaN when it says nothing. */
export function dependencyOf(params: Record<string, unknown>): number {
  const { id } = (params.source_dependency ?? {}) as { id?: number };
  return id ?? Number.NaN;
}
