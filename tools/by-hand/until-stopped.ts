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
    // A path that breaks ends the server in it, too, and is then the cause.
    await path.count().catch(unless(signal));
    server.assertAlive();
    await sleep(POLL_INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
}

/** Rethrows errors, except those after an abort. */
function unless(signal: AbortSignal): (error: Error) => void {
  return (error) => {
    if (!signal.aborted) throw error;
  };
}
