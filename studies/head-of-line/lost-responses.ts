import type { Observation } from '../../ground/records/observation.ts';
import type { AttemptPackets } from '../../ground/records/packets.ts';
import { countWithNoun } from '../../kit/text/number.ts';

/**
 * Responses with bytes in lost packets, by their number on a connection: `1 (3 loads), 12 (1 load)`; null: no load has a capture with
 * such numbers.
 */
export function lostResponsesText(
  loads: readonly Pick<Observation, 'id'>[],
  captures: readonly AttemptPackets[],
): string | null {
  const ids = new Set(loads.map(({ id }) => id));
  const known = captures
    .filter(({ id, connections }) => ids.has(id) && connections.every(knowsLosses))
    .map(
      ({ connections }) => new Set(connections.flatMap(({ lostResponses = [] }) => lostResponses)),
    );
  if (known.length === 0) return null;
  const loadsOf = Map.groupBy(
    known.flatMap((responses) => (responses.size === 0 ? [0] : [...responses])),
    (response) => response,
  );
  return [...loadsOf]
    .toSorted(([a], [b]) => a - b)
    .map(
      ([response, { length }]) =>
        `${response === 0 ? 'none' : response} (${countWithNoun(length, 'load')})`,
    )
    .join(', ');
}

/** Records of older versions lack these numbers. */
function knowsLosses({ lostResponses, opened }: AttemptPackets['connections'][number]): boolean {
  return lostResponses !== undefined && opened !== 'none';
}
