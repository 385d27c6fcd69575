import type { Estimate } from '../../../kit/text/estimate.ts';
import { TAIL_PROBABILITY } from '../../../statistics/interval.ts';
import { mean } from '../../../statistics/mean.ts';
import { standardDeviation } from '../../../statistics/standard-deviation.ts';
import { tQuantile } from '../../../statistics/t-distribution.ts';

/**
 * Pools the changes of several sites: geometric mean with equal weights, with Student's interval over the sites, for sites of this
 * kind. The interval is very wide with 2 or 3 sites; with one site it is that site's own. Null without sites.
 */
export function pooledChange(changes: readonly Estimate[]): Estimate | null {
  const [only] = changes;
  if (only === undefined) return null;
  if (changes.length === 1) return only;
  const logs = changes.map(({ estimate }) => Math.log(estimate));
  const centre = mean(logs) as number;
  const error = (standardDeviation(logs) as number) / Math.sqrt(logs.length);
  const reach = tQuantile(1 - TAIL_PROBABILITY, logs.length - 1) * error;
  return {
    estimate: Math.exp(centre),
    low: Math.exp(centre - reach),
    high: Math.exp(centre + reach),
  };
}
