import { setTimeout as sleep } from 'node:timers/promises';
import type { SiteByHand } from './site.ts';

const POLL_INTERVAL_MS = 1000;

/**
 * Waits until aborted.
 * @throws ServerError if the server ends; NetworkError if the path breaks
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

/** Rethrows errors, except those after an abort. */
function unless(signal: AbortSignal): (error: Error) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
