import { setTimeout as sleep } from 'node:timers/promises';
import type { SiteByHand } from './site.ts';

/** So often is looked whether the server and the path are there. */
const POLL_INTERVAL_MS = 1000;

/**
 * Waits until it is aborted.
 * @throws ServerError when the server has ended; NetworkError when the path is broken
 */
export async function untilStopped(
  { server, path }: Pick<SiteByHand, 'server' | 'path'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    server.assertAlive();
    await path.count().catch(unless(signal));
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
}

/** Gives an error on, but for one that is the end that was asked for. */
function unless(signal: AbortSignal): (error: Error) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
