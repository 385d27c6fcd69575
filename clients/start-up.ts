import { setTimeout as sleep } from 'node:timers/promises';
import { readThreadTimes, threadTimeMs } from '../ground/host/threads.ts';
import { LIMITS } from './browser-limits.ts';

/**
 * Waits until a newly started browser is idle. Building its window uses all the processor time available; page loads during it vary
 * three times as much.
 */
export async function waitForStartUp(browserPid: number): Promise<void> {
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
