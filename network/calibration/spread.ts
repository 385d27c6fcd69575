import type { Spread } from '../../ground/records/calibration.ts';
import { quantile } from '../../statistics/quantile.ts';

/** Describes measurements; quantiles of type 7, as everywhere in this project. */
export function spreadOf(values: readonly number[]): Required<Spread> {
  const at = (share: number) => {
    const value = quantile(values, share);
    if (value === null) throw new RangeError('no values to describe');
    return value;
  };
  return {
    count: values.length,
    minimum: at(0),
    p25: at(0.25),
    median: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    maximum: at(1),
  };
}
