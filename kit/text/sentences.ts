/** The sentences that apply, in their order. */
export function sentences(
  ...parts: readonly (string | false | null | undefined | readonly string[])[]
): string[] {
  return parts.flatMap((part) => part || []);
}
