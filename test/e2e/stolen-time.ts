import { setTimeout as sleep } from 'node:timers/promises';
import { seededPick } from '../../statistics/random.ts';

/** Intervals of running and stopping programs in turn, ms. */
const RUN_MS = [20, 100] as const;
const STOP_MS = [5, 60] as const;

/**
 * Takes time from programs as a hypervisor takes it from their processor: one of them stands still,
 * 5 to 60 ms at a time, about a third of the time.
 * @param find looked up each time, since programs come and go
 */
export async function withStolenTime<T>(find: () => number[], use: () => Promise<T>): Promise<T> {
  const pick = seededPick(1);
  const between = ([least, most]: readonly [number, number]) => least + pick(most - least + 1);
  let goesOn = true;
  const stealing = (async () => {
    while (goesOn) {
      await sleep(between(RUN_MS));
      const pids = find();
      const pid = pids[pick(pids.length)];
      if (pid === undefined) continue;
      send(pid, 'SIGSTOP');
      await sleep(between(STOP_MS));
      send(pid, 'SIGCONT');
    }
  })();
  try {
    return await use();
  } finally {
    goesOn = false;
    await stealing;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
