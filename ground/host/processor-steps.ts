import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { monotonicMs } from '../system/node-clock.ts';
import { processTreeOf } from './process-tree.ts';
import { readProcesses } from './processes.ts';

/** Processor use of a program's threads in a short interval. */
interface ProgramStep {
  /** Sum over its threads and processes. */
  cpuMs: number;
  /** Time on a core of the thread that has most. */
  mostCpuMs: number;
  /** Time on a core or waiting for one, of the thread that has most. */
  busiestMs: number;
  /** Number of times that a thread got a core. */
  switches: number;
}

export interface ProcessorStep<Whose extends string> {
  /** Start, by the machine's monotonic clock. */
  atMs: number;
  forMs: number;
  programs: Record<Whose, ProgramStep>;
}

/** A running measurement in steps. */
interface ProcessorWatch<Whose extends string> {
  /** Takes the last step and ends; null: not reported by the kernel. */
  end(): ProcessorStep<Whose>[] | null;
}

/** Reading a thread is a system call of 2 us. */
const STEP_MS = 10;
/** Search interval: new threads take about 20 us for each process, new processes some ms. */
const NEW_THREADS_MS = 100;
const NEW_PROCESSES_MS = 500;

/**
 * Measures the processor use of programs, each given by its first process, in steps of about 10 ms. Exact to
 * microseconds, without the last step of threads that end.
 */
export function watchProcessor<Whose extends string>(
  firstPids: Readonly<Record<Whose, number>>,
): ProcessorWatch<Whose> {
  const programs = Object.entries(firstPids).map(
    ([whose, pid]) => [whose as Whose, new Program(pid as number)] as const,
  );
  const steps: ProcessorStep<Whose>[] = [];
  let atMs = monotonicMs();
  let threadsAtMs = atMs;
  let processesAtMs = atMs;
  const take = () => {
    const beganMs = atMs;
    atMs = monotonicMs();
    const taken = programs.map(([whose, program]) => [whose, program.step()] as const);
    steps.push({
      atMs: beganMs,
      forMs: atMs - beganMs,
      programs: Object.fromEntries(taken) as Record<Whose, ProgramStep>,
    });
  };
  const timer = setInterval(() => {
    take();
    if (atMs - processesAtMs >= NEW_PROCESSES_MS) {
      processesAtMs = atMs;
      for (const [, program] of programs) program.findProcesses();
    }
    if (atMs - threadsAtMs < NEW_THREADS_MS) return;
    threadsAtMs = atMs;
    for (const [, program] of programs) program.findThreads();
  }, STEP_MS);
  return {
    end() {
      clearInterval(timer);
      take();
      const isReported = programs.every(([, program]) => program.isReported);
      for (const [, program] of programs) program.close();
      return isReported ? steps : null;
    },
  };
}

/** Threads of a program, each with an open file of /proc. */
class Program {
  readonly #firstPid: number;
  readonly #threads = new Map<string, Thread>();
  #pids: ReadonlySet<number> = new Set();
  /** Whether the kernel reported values of any of its threads. */
  isReported = false;

  constructor(firstPid: number) {
    this.#firstPid = firstPid;
    this.findProcesses();
    this.findThreads();
    this.step();
  }

  findProcesses(): void {
    this.#pids = processTreeOf(readProcesses(), this.#firstPid);
  }

  findThreads(): void {
    for (const pid of this.#pids) {
      for (const thread of threadsOf(pid)) {
        const key = `${pid}/${thread}`;
        if (this.#threads.has(key)) continue;
        const opened = Thread.open(pid, thread);
        if (opened !== null) this.#threads.set(key, opened);
      }
    }
  }

  step(): ProgramStep {
    const step = { cpuMs: 0, mostCpuMs: 0, busiestMs: 0, switches: 0 };
    for (const [key, thread] of this.#threads) {
      const took = thread.step();
      if (took === null) {
        thread.close();
        this.#threads.delete(key);
        continue;
      }
      this.isReported ||= took.isReported;
      step.cpuMs += took.ranMs;
      step.mostCpuMs = Math.max(step.mostCpuMs, took.ranMs);
      step.switches += took.switches;
      step.busiestMs = Math.max(step.busiestMs, took.ranMs + took.waitedMs);
    }
    return step;
  }

  close(): void {
    for (const thread of this.#threads.values()) thread.close();
  }
}

interface ThreadStep {
  ranMs: number;
  waitedMs: number;
  switches: number;
  isReported: boolean;
}

/** A thread by its schedstat: ns on a core, ns waiting for one, number of times that it got one. */
class Thread {
  readonly #file: number;
  #counters: readonly number[] = [0, 0, 0];

  constructor(file: number) {
    this.#file = file;
  }

  /** null: it has ended. */
  static open(pid: number, thread: string): Thread | null {
    try {
      return new Thread(openSync(`/proc/${pid}/task/${thread}/schedstat`, 'r'));
    } catch {
      return null;
    }
  }

  /** Use since the previous call, at first since its start; null: ended. */
  step(): ThreadStep | null {
    let text: string;
    try {
      text = BUFFER.toString('latin1', 0, readSync(this.#file, BUFFER, 0, BUFFER.length, 0));
    } catch {
      return null;
    }
    const counters = text.split(' ').map(Number);
    const since = (index: number) => (counters[index] ?? 0) - (this.#counters[index] ?? 0);
    const step = {
      ranMs: since(0) / 1e6,
      waitedMs: since(1) / 1e6,
      switches: since(2),
      isReported: counters.some((number) => number > 0),
    };
    this.#counters = counters;
    return step;
  }

  close(): void {
    closeSync(this.#file);
  }
}

const BUFFER = Buffer.alloc(96);

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
