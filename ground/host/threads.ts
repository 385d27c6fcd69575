import { readdirSync } from 'node:fs';
import { readIfThere } from '../system/read-if-there.ts';

/**
 * Processor time of each thread in ms, exact to some microseconds; the key is unique among all threads. On a virtual
 * machine most kernels count what the hypervisor took away meanwhile as if the thread had used it.
 */
export type ThreadTimes = ReadonlyMap<string, number>;

/** The threads of some processes; takes some 20 us for each. null: the kernel does not tell. */
export function readThreadTimes(pids: Iterable<number>): ThreadTimes | null {
  const times = new Map<string, number>();
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      const text = readIfThere(`/proc/${pid}/task/${thread}/schedstat`);
      if (text === null) continue;
      times.set(`${pid}/${thread}`, Number(text.split(' ')[0]) / 1e6);
    }
  }
  // Without CONFIG_SCHED_INFO there is no such file, and without its switch it holds zeros.
  return [...times.values()].some((timeMs) => timeMs > 0) ? times : null;
}

/** Time in ms that threads took between two moments; what a thread took that has ended since is missing. */
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
