import { readdirSync } from 'node:fs';
import { readIfThere } from '../system/read-if-there.ts';

/**
 * Processor time of each thread in ms, exact to some microseconds, by a key that is unique among all threads. On
 * virtual machines most kernels include time that the hypervisor took away.
 */
export type ThreadTimes = ReadonlyMap<string, number>;

/** Threads of processes; takes about 20 us each. null: not reported by the kernel. */
export function readThreadTimes(pids: Iterable<number>): ThreadTimes | null {
  const times = new Map<string, number>();
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      const text = readIfThere(`/proc/${pid}/task/${thread}/schedstat`);
      if (text === null) continue;
      times.set(`${pid}/${thread}`, Number(text.split(' ')[0]) / 1e6);
    }
  }
  // Missing without CONFIG_SCHED_INFO; all zeros if schedstats are off.
  return [...times.values()].some((timeMs) => timeMs > 0) ? times : null;
}

/** Processor time of threads between two moments in ms, without threads that ended meanwhile. */
export function threadTimeMs(before: ThreadTimes, after: ThreadTimes): number {
  let sumMs = 0;
  for (const [thread, timeMs] of after) sumMs += Math.max(0, timeMs - (before.get(thread) ?? 0));
  return sumMs;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
