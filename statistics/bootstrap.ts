import { expandedTail } from './expanded-percentile.ts';
import { FEWEST_FOR_INTERVAL, type Interval } from './interval.ts';
import { quantile } from './quantile.ts';
import { seededPick } from './random.ts';

/** How a bootstrap is made. */
export interface Resampling {
  seed: number;
  resamples?: number;
}

export const RESAMPLES = 10_000;

/**
 * 95 % bootstrap interval of any statistic of a sample, seeded: expanded percentiles of the statistic of 10,000
 * resamples. The statistic gets an array that is used again, and must neither keep nor change it. Null below 6
 * values. The README of this folder says for which statistics and sizes it holds what it promises.
 * @example bootstrapInterval(values, (sample) => mean(sample) ?? 0, { seed: 1 })
 */
export function bootstrapInterval(
  values: readonly number[],
  statistic: (sample: readonly number[]) => number,
  { seed, resamples = RESAMPLES }: Resampling,
): Interval | null {
  const n = values.length;
  if (n < FEWEST_FOR_INTERVAL) return null;
  const pick = seededPick(seed);
  const sample = new Array<number>(n);
  const estimates = Array.from({ length: resamples }, () => {
    for (let i = 0; i < n; i++) sample[i] = values[pick(n)] as number;
    return statistic(sample);
  });
  const tail = expandedTail(n);
  return {
    low: quantile(estimates, tail) as number,
    high: quantile(estimates, 1 - tail) as number,
  };
}
