import { readdirSync } from 'node:fs';
import { readIfThere } from '../system/read-if-there.ts';

/** A process from /proc/PID/stat (proc(5)). */
export interface ProcessUse {
  pid: number;
  parentPid: number;
  session: number;
  /** Whether it is a kernel thread. */
  kernel: boolean;
  /** Processor time of all its threads, including ended ones; a multiple of 10 ms. */
  cpuMs: number;
  /** Processor time of its ended children and theirs; a multiple of 10 ms. */
  endedChildrenCpuMs: number;
}

/** Processes by pid at one moment. */
export type Processes = ReadonlyMap<number, ProcessUse>;

/** Unit of times in /proc on every architecture of Chromium: 1/100 s. */
export const TICK_MS = 10;

const KERNEL_THREAD = 0x0020_0000;

/** All visible processes; takes about 20 us each. */
export function readProcesses(): Processes {
  const processes = new Map<number, ProcessUse>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const text = readIfThere(`/proc/${pid}/stat`);
    if (text !== null) processes.set(pid, parseProcessStat(pid, text));
  }
  return processes;
}

/**
 * Parses a line of /proc/PID/stat.
 * @throws Error when it has another form
 */
export function parseProcessStat(pid: number, text: string): ProcessUse {
  // The program's name may contain blanks and brackets; count fields after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  const use = {
    pid,
    parentPid: field(4),
    session: field(6),
    kernel: (field(9) & KERNEL_THREAD) !== 0,
    cpuMs: (field(14) + field(15)) * TICK_MS,
    endedChildrenCpuMs: (field(16) + field(17)) * TICK_MS,
  };
  if (Object.values(use).includes(Number.NaN)) {
    throw new Error(`/proc/${pid}/stat is not as proc(5) says: ${text.slice(0, 80)}`);
  }
  return use;
}
