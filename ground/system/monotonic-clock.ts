import { dlopen } from 'bun:ffi';

const CLOCK_MONOTONIC = 1;

const { symbols } = dlopen('libc.so.6', {
  clock_gettime: { args: ['i32', 'buffer'], returns: 'i32' },
});

/** struct timespec: seconds and nanoseconds. */
const time = new BigInt64Array(2);

/** The kernel's monotonic clock in ms, common to all processes of a machine, for programs on Bun, whose own clocks start with the process. */
export function monotonicMs(): number {
  symbols.clock_gettime(CLOCK_MONOTONIC, time);
  return Number(time[0]) * 1000 + Number(time[1]) / 1e6;
}
