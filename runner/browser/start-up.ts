import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULTS } from '../defaults.ts';

/**
 * Waits until a Chromium that has just been started is done with itself. For most of a second it builds
 * its window with all the processor it can get; a page that is loaded meanwhile measures that, not the
 * network: its load times vary three times as much.
 */
export async function startUpEnded(browserPid: number): Promise<void> {
  const { intervalMs, quietIntervals, limitMs } = DEFAULTS.startUp;
  const endMs = performance.now() + limitMs;
  let usedBefore = await processorTicks(browserPid);
  let quiet = 0;
  while (quiet < quietIntervals && performance.now() < endMs) {
    await sleep(intervalMs);
    const used = await processorTicks(browserPid);
    quiet = used - usedBefore <= 1 ? quiet + 1 : 0;
    usedBefore = used;
  }
}

/** Processor time used by a process so far, in ticks of 10 ms (proc(5): utime and stime). */
async function processorTicks(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The program's name may hold blanks and brackets; fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}
