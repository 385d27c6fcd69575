import {
  type ProcessorStep,
  watchProcessor as watchPrograms,
} from '../../../ground/host/processor-steps.ts';
import { monotonicMs } from '../../../ground/system/node-clock.ts';
import type { ProfileStep } from './profile.ts';
import type { Profiler } from './profiler.ts';

/**
 * Reads the processor time of a program's threads in short steps.
 * @param pids its first process, whose children are found; the rest are ignored
 */
export function watchProcessor(pids: Iterable<number>): Profiler {
  const [firstPid = 0] = pids;
  const beganAtMs = monotonicMs();
  const watch = watchPrograms({ program: firstPid });
  let isGoing = true;
  const end = () => {
    isGoing = false;
    return watch.end();
  };
  return {
    async stop() {
      if (isGoing) end();
    },
    async end() {
      const taken = end();
      if (taken === null)
        throw new Error('this kernel does not report the processor time of threads');
      const steps = taken.map((step) => profileStep(step, beganAtMs));
      return { suffix: 'cpu.csv', text: csvOf(steps), found: { steps } };
    },
  };
}

/** A step in percent of one core. */
export function profileStep(
  { atMs: beginMs, forMs, programs: { program } }: ProcessorStep<'program'>,
  beganAtMs: number,
): ProfileStep {
  const percent = (timeMs: number) => (forMs > 0 ? (100 * timeMs) / forMs : 0);
  return {
    atMs: beginMs + forMs - beganAtMs,
    percent: percent(program.cpuMs),
    busiestThreadPercent: percent(program.mostCpuMs),
  };
}

function csvOf(steps: readonly ProfileStep[]): string {
  const lines = steps.map((step) =>
    [step.atMs, step.percent, step.busiestThreadPercent].map((value) => value.toFixed(2)).join(),
  );
  return ['t_ms,cpu_percent,busiest_thread_percent', ...lines].map((line) => `${line}\n`).join('');
}
