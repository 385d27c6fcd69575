/**
 * Now, in ms of the clock that NetLog times are told in. On Linux that is the kernel's monotonic clock, in Chromium as in
 * Node, so that a moment of ours can be held against the events without asking when either of the two was started.
 */
export function netLogNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
