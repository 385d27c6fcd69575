/** The kernel's monotonic clock in ms, the same in all processes of a machine, for programs that run on Node (on Bun: monotonic-clock.ts). */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** How far the time of day, which captures and samples of the kernel have, is ahead of it at this moment, in ms. */
export function timeOfDayAheadMs(): number {
  return Date.now() - monotonicMs();
}
