import { fixedSites } from '../../statistics/fixed-sites.ts';
import { hierarchicalBootstrap } from '../../statistics/hierarchical-bootstrap.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import { TAIL_PROBABILITY } from '../../statistics/interval.ts';
import { mean } from '../../statistics/mean.ts';
import { standardDeviation } from '../../statistics/standard-deviation.ts';
import { tQuantile } from '../../statistics/t-distribution.ts';
import type { PagesLikeThese } from './comparison.ts';

/** Fewer sites say next to nothing of others. */
const FEWEST_SITES_FOR_OTHERS = 5;

/**
 * What the sites say of others that they are a sample of: the mean ratio of such sites, and where the ratio of one more of them is to
 * be expected (prediction interval: Higgins, Thompson and Spiegelhalter 2009, doi:10.1111/j.1467-985X.2008.00552.x). Null below 5
 * sites.
 * @param logRatiosBySite of pairs in which both loads ended
 */
export function pagesLikeThese(
  logRatiosBySite: readonly (readonly number[])[],
  seed: number,
): PagesLikeThese | null {
  const subjects = logRatiosBySite.filter(({ length }) => length > 0);
  if (subjects.length < FEWEST_SITES_FOR_OTHERS) return null;
  const population = hierarchicalBootstrap(subjects, { seed });
  if (population === null) return null;
  const { ratio, low, high } = population;
  return {
    nSites: subjects.length,
    ratio: { estimate: ratio, low, high },
    ofOneMore: predicted(subjects),
  };
}

function predicted(subjects: readonly (readonly number[])[]): { low: number; high: number } {
  const estimates = subjects.map((values) => hodgesLehmann(values) as number);
  const spread = (standardDeviation(estimates) as number) ** 2;
  const noise = mean(subjects.map(errorSquared)) as number;
  const between = Math.max(0, spread - noise);
  const t = tQuantile(1 - TAIL_PROBABILITY, subjects.length - 2);
  const reach = t * Math.sqrt(between + spread / subjects.length);
  const centre = mean(estimates) as number;
  return { low: Math.exp(centre - reach), high: Math.exp(centre + reach) };
}

/** What of the spread of the sites is the noise of their pairs; 0 where nothing is known of it. */
function errorSquared(values: readonly number[]): number {
  const errors = fixedSites([[values]])?.errors;
  return errors ? ((errors.below + errors.above) / 2) ** 2 : 0;
}
