import { TICK_MS } from './processes.ts';

/** How all cores together have spent their time since the machine was started, in ms (the first line of /proc/stat). */
export interface CoreTimes {
  /** In programs and in the kernel on their behalf, interrupts not counted. */
  programsMs: number;
  /** null: the kernel does not tell. */
  stealMs: number | null;
  totalMs: number;
}

/** @throws Error when the text is not /proc/stat. */
export function parseCoreTimes(text: string): CoreTimes {
  const line = /^cpu +([\d ]+)$/m.exec(text)?.[1];
  if (line === undefined) throw new Error('/proc/stat has no line of all cores');
  const [user = 0, nice = 0, system = 0, ...rest] = line
    .trim()
    .split(' ')
    .map((ticks) => Number(ticks) * TICK_MS);
  const [idle = 0, iowait = 0, irq = 0, softirq = 0, steal = null] = rest;
  const programsMs = user + nice + system;
  // Guests' time, which follows, is in `user` already.
  return {
    programsMs,
    stealMs: steal,
    totalMs: programsMs + idle + iowait + irq + softirq + (steal ?? 0),
  };
}

/** Time in microseconds since the start in which some process waited for a core; null: the kernel does not tell. */
export function parseCpuWaitUs(pressure: string | null): number | null {
  const total = /^some .*\btotal=(\d+)/m.exec(pressure ?? '')?.[1];
  return total === undefined ? null : Number(total);
}

/** @throws Error when the text is not /proc/meminfo. */
export function parseAvailableMb(meminfo: string): number {
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(meminfo)?.[1];
  if (kilobytes === undefined) throw new Error('/proc/meminfo has no MemAvailable');
  return Number(kilobytes) / 1024;
}
