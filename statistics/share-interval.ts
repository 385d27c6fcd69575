import { type Interval, TAIL_PROBABILITY } from './interval.ts';
import { normalQuantile } from './normal-distribution.ts';

/**
 * 95 % interval of the share of which `hits` of `n` draws are an estimate, after Wilson (1927). Null without draws.
 * @example shareInterval(3, 10) // { low: 0.108, high: 0.603 }
 */
export function shareInterval(hits: number, n: number): Interval | null {
  if (n === 0) return null;
  const z = normalQuantile(1 - TAIL_PROBABILITY);
  const share = hits / n;
  const middle = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half =
    (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  // Rounding must not exclude a share of exactly 0 or 1.
  return { low: hits === 0 ? 0 : middle - half, high: hits === n ? 1 : middle + half };
}
