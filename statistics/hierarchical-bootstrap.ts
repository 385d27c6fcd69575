import { geometricMeanRatio, type PooledRatio } from './geometric-mean-ratio.ts';
import { hodgesLehmann } from './hodges-lehmann.ts';
import { hodgesLehmannInterval } from './hodges-lehmann-interval.ts';
import { TAIL_PROBABILITY } from './interval.ts';
import { mean } from './mean.ts';
import { normalTail } from './normal-distribution.ts';
import { quantile } from './quantile.ts';
import { seededPick } from './random.ts';
import { RESAMPLES, type Resampling } from './resampling.ts';
import { standardDeviation } from './standard-deviation.ts';
import { tQuantile } from './t-distribution.ts';
import { hodgesLehmannResampler } from './walsh-resampler.ts';

/** A pooled ratio with its 95 % interval; `low` and `high` are both numbers or both null. */
interface PooledInterval extends PooledRatio {
  low: number | null;
  high: number | null;
  /** Which truth the interval is for, and its method: see `hierarchicalBootstrap`. */
  method: 'one site' | 't over sites' | 'bootstrap';
}

/** With fewer sites there are too few different resamples of them for the far percentiles that they would need. */
const FEWEST_SITES_TO_RESAMPLE = 12;

/**
 * 95 % interval for `geometricMeanRatio`, from the log ratios of the pairs of each site, seeded. The truth it is
 * meant to hold is e to the power of the mean log ratio of the population that the sites were drawn from: it predicts
 * results of further sites of the kind, and is wide when sites differ.
 *
 * - `bootstrap`, 12 sites or more: sites are drawn with replacement, then pairs within each drawn site, 10,000 times.
 *   Two-level resampling counts the noise of the pairs twice, since the sites' estimates vary by it already (Davison
 *   and Hinkley 1997, Bootstrap Methods, section 3.8): left alone, the interval holds the truth in up to 99 %.
 *   Therefore the resampled distribution gives the shape, and its spread is set to the standard error over sites; the
 *   percentiles are those at which a normal distribution has t's distance, as in `expandedTail`.
 * - `t over sites`, 2 to 11 sites: mean and standard error of the sites' estimates with Student's t. With 2 or 3
 *   sites it is very wide, as it has to be.
 * - `one site`: the site's own `hodgesLehmannInterval`, which says nothing about other sites; null below 6 pairs.
 *
 * Excludes sites without pairs. Null without any pair.
 */
export function hierarchicalBootstrap(
  logRatiosBySite: readonly (readonly number[])[],
  { seed, resamples = RESAMPLES }: Resampling,
): PooledInterval | null {
  const pooled = geometricMeanRatio(logRatiosBySite);
  if (pooled === null) return null;
  const sites = logRatiosBySite.filter((logRatios) => logRatios.length > 0);
  if (sites.length === 1) {
    const interval = hodgesLehmannInterval(sites[0] as readonly number[]);
    const [low, high] = interval ? [Math.exp(interval.low), Math.exp(interval.high)] : [null, null];
    return { ...pooled, low, high, method: 'one site' };
  }
  const estimates = sites.map((logRatios) => hodgesLehmann(logRatios) as number);
  const error = (standardDeviation(estimates) as number) / Math.sqrt(sites.length);
  const t = tQuantile(1 - TAIL_PROBABILITY, sites.length - 1);
  const isResampled = sites.length >= FEWEST_SITES_TO_RESAMPLE && error > 0;
  const [below, above] = isResampled
    ? resampledReach(sites, { seed, resamples }, normalTail(t))
    : [-t, t];
  return {
    ...pooled,
    low: pooled.ratio * Math.exp(below * error),
    high: pooled.ratio * Math.exp(above * error),
    method: isResampled ? 'bootstrap' : 't over sites',
  };
}

/** How many of its standard deviations the resampled mean reaches below and above its centre at this percentile. */
function resampledReach(
  sites: readonly (readonly number[])[],
  { seed, resamples }: Required<Resampling>,
  tail: number,
): [below: number, above: number] {
  const pick = seededPick(seed);
  const resamplers = sites.map(hodgesLehmannResampler);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < resamplers.length; i++) {
      const resample = resamplers[pick(resamplers.length)] as (typeof resamplers)[number];
      sum += resample(pick);
    }
    return sum / resamplers.length;
  });
  const centre = mean(means) as number;
  const spread = standardDeviation(means) as number;
  const reach = (probability: number) =>
    ((quantile(means, probability) as number) - centre) / spread;
  return [reach(tail), reach(1 - tail)];
}
