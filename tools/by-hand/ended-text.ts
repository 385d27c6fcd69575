import type { Inhabitant } from '../../network/inhabitants.ts';

/** Says which processes of the user's ended with a path. */
export function endedText(ended: readonly Inhabitant[]): string {
  const names = ended.map(({ name, pid }) => `${name} (${pid})`);
  return `Ended what was left at the ends of the path: ${names.join(', ')}.`;
}
