import { setTimeout as sleep } from 'node:timers/promises';
import { readThreadTimes, type ThreadTimes } from '../../../interference/threads.ts';
import type { ProfileStep } from '../../../records/profile.ts';
import type { Profiler } from './profiler.ts';

/** Fine enough to see slow start, and some ms of the runner's own time a second. */
const STEP_MS = 20;

/**
 * Reads the processor time of some processes' threads in short steps.
 * @throws Error when the kernel does not tell it
 */
export function watchProcessor(pids: Iterable<number>): Profiler {
  const own = [...pids];
  const steps: ProfileStep[] = [];
  const beganAtMs = performance.now();
  let before = readThreadTimes(own);
  if (before === null) throw new Error('this kernel does not tell the processor time of threads');
  let beforeAtMs = beganAtMs;
  const step = () => {
    const after = readThreadTimes(own);
    const atMs = performance.now();
    if (before !== null && after !== null && atMs > beforeAtMs) {
      steps.push({ atMs: atMs - beganAtMs, ...shareOf(before, after, atMs - beforeAtMs) });
    }
    before = after;
    beforeAtMs = atMs;
  };
  const stopped = new AbortController();
  const going = (async () => {
    while (!stopped.signal.aborted) {
      await sleep(STEP_MS, undefined, { signal: stopped.signal }).catch(() => {});
      step();
    }
  })();
  const stop = async () => {
    stopped.abort();
    await going;
  };
  return {
    stop,
    async end() {
      await stop();
      return { ending: 'cpu.csv', text: csvOf(steps), found: { steps } };
    },
  };
}

/** What threads took of one core between two moments. */
export function shareOf(
  before: ThreadTimes,
  after: ThreadTimes,
  forMs: number,
): Pick<ProfileStep, 'percent' | 'busiestThreadPercent'> {
  const tookMs = [...after].map(([thread, timeMs]) =>
    Math.max(0, timeMs - (before.get(thread) ?? 0)),
  );
  const percent = (timeMs: number) => (100 * timeMs) / forMs;
  return {
    percent: percent(tookMs.reduce((sum, timeMs) => sum + timeMs, 0)),
    busiestThreadPercent: percent(Math.max(0, ...tookMs)),
  };
}

function csvOf(steps: readonly ProfileStep[]): string {
  const lines = steps.map((step) =>
    [step.atMs, step.percent, step.busiestThreadPercent].map((value) => value.toFixed(2)).join(),
  );
  return ['t_ms,cpu_percent,busiest_thread_percent', ...lines].map((line) => `${line}\n`).join('');
}
