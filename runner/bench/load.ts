import { loadavg } from 'node:os';

/** The machine's load averages over 1, 5 and 15 minutes. */
export function loadText(): string {
  return loadavg()
    .map((average) => average.toFixed(2))
    .join(' ');
}
