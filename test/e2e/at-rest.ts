import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Counts until nothing more crosses a path, and returns the last counts. A program that stands
 * still for a moment carries its packets in flight afterwards, so that one quiet sample proves
 * nothing.
 */
export async function countsAtRest<Counts extends { toServer: object; toClient: object }>(
  count: () => Promise<Counts>,
): Promise<Counts> {
  let last = '';
  for (let quietLooks = 0; ; await sleep(100)) {
    const counts = await count();
    const now = JSON.stringify([counts.toServer, counts.toClient]);
    quietLooks = now === last ? quietLooks + 1 : 0;
    last = now;
    if (quietLooks === 3) return counts;
  }
}
