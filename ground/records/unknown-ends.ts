import { END_PROPERTIES, type EndManifest, type FairnessManifest } from './fairness.ts';

/**
 * A manifest in which every property of both ends is unknown.
 * @param why replaces the source of each value
 */
export function unknownEnds(why: string, readAt: string): FairnessManifest {
  const notRead = { value: null, from: why };
  const end = Object.fromEntries(END_PROPERTIES.map((name) => [name, notRead]));
  const ends = { client: end, server: end } as unknown as Record<'client' | 'server', EndManifest>;
  return { readAt, ...ends, stacks: {}, readings: {}, pairs: [] };
}
