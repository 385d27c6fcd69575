import { setTimeout as sleep } from 'node:timers/promises';
import { readThreadTimes, threadTimeMs } from '../../ground/host/threads.ts';
import { LIMITS } from './limits.ts';

/**
 * Waits until a Chromium that has just been started is done with itself. For a good while it builds its window with all the
 * processor it can get; a page that is loaded meanwhile measures that, not the network: its load times vary three
 * times as much.
 */
export async function startUpEnded(browserPid: number): Promise<void> {
  const { intervalMs, quietIntervals, quietShare, limitMs } = LIMITS.startUp;
  const endMs = performance.now() + limitMs;
  let before = readThreadTimes([browserPid]);
  let beforeMs = performance.now();
  let quiet = 0;
  while (quiet < quietIntervals && performance.now() < endMs) {
    await sleep(intervalMs);
    const now = readThreadTimes([browserPid]);
    const nowMs = performance.now();
    const usedMs = before && now ? threadTimeMs(before, now) : 0;
    quiet = usedMs <= quietShare * (nowMs - beforeMs) ? quiet + 1 : 0;
    before = now;
    beforeMs = nowMs;
  }
}
