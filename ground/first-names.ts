/** Names for a sentence; beyond the limit the first ones and a number: `a, b, c and 2 more`. Empty without names. */
export function firstNames(names: readonly string[], most = 8): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
