import os from 'node:os';
import type { Check, Finding } from '../check.ts';

// One page load at a time keeps about a core busy; what others use must leave that free.
const HIGH_LOAD_PER_CORE = 0.5;

/** Whether other programs are at work. */
export const load: Check = {
  name: 'load average',
  run: () => judgeLoad(os.loadavg()[0] ?? 0, os.availableParallelism()),
};

export function judgeLoad(loadAverage1m: number, coreCount: number): Finding {
  const found = `${loadAverage1m.toFixed(2)} in the last minute`;
  if (loadAverage1m <= HIGH_LOAD_PER_CORE * coreCount) return { status: 'ok', found };
  return {
    status: 'note',
    found: `${found} on ${coreCount} ${coreCount === 1 ? 'core' : 'cores'}: other programs are at work`,
    remedy: 'Stop them, or wait: times get longer and vary more',
  };
}
