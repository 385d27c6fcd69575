/**
 * Current time, in ms of the NetLog clock. On Linux that is the kernel's monotonic clock, in
 * Chromium as in Node, so that our moments can be compared with the events without knowing when
 * either of the two was started.
 */
export function netLogNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
