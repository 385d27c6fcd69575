import { mean } from './mean.ts';
import { quantileOfSorted } from './quantile.ts';
import { standardDeviation } from './standard-deviation.ts';

/** A sample in a few numbers; null where the sample is too small for one. */
export interface Description {
  n: number;
  mean: number | null;
  median: number | null;
  /** With n - 1. */
  standardDeviation: number | null;
  minimum: number | null;
  maximum: number | null;
}

/**
 * Describes a sample. No value is taken out.
 * @example describe([2, 4, 6]) // { n: 3, mean: 4, median: 4, standardDeviation: 2, minimum: 2, maximum: 6 }
 */
export function describe(values: readonly number[]): Description {
  const sorted = new Float64Array(values).sort();
  return {
    n: values.length,
    mean: mean(values),
    median: quantileOfSorted(sorted, 0.5),
    standardDeviation: standardDeviation(values),
    minimum: sorted[0] ?? null,
    maximum: sorted.at(-1) ?? null,
  };
}
