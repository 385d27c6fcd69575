import type { Observed, Problem } from './check.ts';

/** A program that waits for a core on a busy machine is late by some tens of ms; a second is no waiting for a core. */
const MOST_STALL_MS = 1_000;

/** A clock that is kept right by small steps moves by 0.5 ms in a second at most. */
const MOST_APART_MS = 500;

/** The machine was suspended during the load, or its clock was set. */
export function clockJumped({ time }: Observed): Problem | null {
  if (time === null || time.clocksApartMs <= MOST_APART_MS) return null;
  return {
    code: 'clock-jumped',
    message: `The time of day moved ${seconds(time.clocksApartMs)} away from the monotonic clock: the machine was suspended, or its clock was set.`,
  };
}

/** The machine stood still during the load, or gave the benchmark no processor. */
export function machineStalled({ time }: Observed): Problem | null {
  if (time === null || time.longestStallMs <= MOST_STALL_MS) return null;
  return {
    code: 'machine-stalled',
    message: `The machine, or the benchmark on it, stood still for ${seconds(time.longestStallMs)}.`,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
