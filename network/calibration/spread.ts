import type { Spread } from '../../records/calibration.ts';

/** Describes measurements; quantiles of type 7, as everywhere in this project. */
export function spreadOf(values: readonly number[]): Required<Spread> {
  const sorted = values.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    minimum: quantile(sorted, 0),
    p25: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p99: quantile(sorted, 0.99),
    maximum: quantile(sorted, 1),
  };
}

function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  if (below === undefined || above === undefined) throw new RangeError('no values to describe');
  return below + (above - below) * (at - Math.floor(at));
}
