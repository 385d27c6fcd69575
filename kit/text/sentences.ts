/** The sentences that apply, in their order. */
export function sentences(
  ...parts: readonly (string | false | null | undefined | readonly string[])[]
): string[] {
  return parts.flatMap((part) => part || []);
}

export const AND = new Intl.ListFormat('en-GB', { type: 'conjunction' });
export const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });
