/** The kernel's monotonic clock in ms, common to all processes of a machine, for programs on Node (on Bun: monotonic-clock.ts). */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Current offset of the wall clock, which captures and kernel samples use, from the monotonic clock, in ms. */
export function timeOfDayAheadMs(): number {
  return Date.now() - monotonicMs();
}
