import { END_PROPERTIES, type EndManifest, type FairnessManifest } from './fairness.ts';

/**
 * What both ends had to work with, where nobody could read it: every property is there, and none is known.
 * @param why as it stands in the place of where it was read
 */
export function unknownEnds(why: string, readAt: string): FairnessManifest {
  const notRead = { value: null, from: why };
  const end = Object.fromEntries(END_PROPERTIES.map((name) => [name, notRead]));
  const ends = { client: end, server: end } as unknown as Record<'client' | 'server', EndManifest>;
  return { readAt, ...ends, stacks: {}, readings: {}, pairs: [] };
}
