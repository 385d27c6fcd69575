import { type GroupInflation, groupInflation, NOTHING_SHARED } from './group-inflation.ts';
import { hodgesLehmann } from './hodges-lehmann.ts';
import { hodgesLehmannInterval } from './hodges-lehmann-interval.ts';
import { clampInfinite } from './infinite-values.ts';
import { type Interval, TAIL_PROBABILITY } from './interval.ts';
import { mean } from './mean.ts';
import { doubledMidRanks } from './mid-ranks.ts';
import { standardDeviation } from './standard-deviation.ts';
import { tQuantile, tTails } from './t-distribution.ts';

/**
 * The log ratios of one site's pairs, in the groups that shared their browsers. Infinity: the first of the two failed; -Infinity:
 * the second.
 */
type SiteSample = readonly (readonly number[])[];

/** Mean effect of these sites only, with its standard errors. */
export interface FixedSites {
  /** Mean of the sites' Hodges-Lehmann estimates; not finite where those of a site are not. */
  estimate: number;
  /** Standard errors towards either side, infinite where failures leave no limit there; null: too few pairs. */
  errors: Sides | null;
  degreesOfFreedom: number;
}

interface Sides {
  below: number;
  above: number;
}

/**
 * Mean effect of these sites only, not of a population; effects may differ ("fixed effects", in the plural: Rice, Higgins
 * and Lumley 2018, doi:10.1111/rssa.12275). A site's standard errors are the lengths of the two sides of its signed-rank
 * interval, each divided by t (Hettmansperger and McKean 2011, Robust Nonparametric Statistical Methods, section 1.5.5).
 * They are combined separately for each side (Zou and Donner 2008, doi:10.1002/sim.3095), and multiplied by the root of the
 * larger one of `groupInflation` and that of sittings. If a site has fewer than 6 pairs, as in a survey of many, the errors
 * come from the spread of the sites' estimates, from 20 sites on. That spread includes the differences between sites, so it
 * is not too small if sites are independent. Null without pairs.
 * @param ofSittings how much sittings increase the variance (`sittingInflation`, `pooledInflation`), whose degrees of
 *   freedom are then the most
 */
export function fixedSites(
  samples: readonly SiteSample[],
  ofSittings: GroupInflation = NOTHING_SHARED,
): FixedSites | null {
  const sites = samples.map((groups) => groups.flat()).filter(({ length }) => length > 0);
  if (sites.length === 0) return null;
  const estimate = mean(sites.map((values) => hodgesLehmann(values) as number)) as number;
  const errors = errorsOfSites(sites);
  if (errors === null) return { estimate, ...errorsOfSpread(sites) };
  const groups = groupInflation(samples.map(rankedGroups));
  const widening = Math.sqrt(Math.max(groups.inflation, ofSittings.inflation));
  return {
    estimate,
    errors: { below: errors.below * widening, above: errors.above * widening },
    degreesOfFreedom: Math.min(
      freedomOfProduct(errors.degreesOfFreedom, groups),
      ofSittings.degreesOfFreedom,
    ),
  };
}

/** Standard errors of the mean by the spread within the sites; null: a site has too few pairs. */
function errorsOfSites(
  sites: readonly (readonly number[])[],
): (Sides & Pick<FixedSites, 'degreesOfFreedom'>) | null {
  const errors = sites.map(errorsOf);
  const known = errors.filter((each) => each !== null);
  if (known.length < sites.length) return null;
  const together = (side: keyof Sides) =>
    Math.hypot(...known.map((each) => each[side])) / sites.length;
  const variances = known.map(meanSquare);
  return {
    below: together('below'),
    above: together('above'),
    degreesOfFreedom: freedomOfSum(variances, sites),
  };
}

function meanSquare({ below, above }: Sides): number {
  return ((below + above) / 2) ** 2;
}

/** With fewer sittings, their differences cannot be estimated. */
const FEWEST_SITTINGS = 4;

/**
 * Factor by which sittings increase the variance of the mean over sites: its jackknife variance over the sittings, which
 * contains all that differs between them, divided by the variance from within the sites. Below 1 by chance.
 * Source: Wolter 2007, Introduction to Variance Estimation (2nd ed.), section 4.2.
 * @param sittings of each site's groups
 * @returns null with fewer than 4 sittings or too few pairs, and if failures leave no estimate without one of the sittings
 */
export function sittingInflation(
  samples: readonly SiteSample[],
  sittings: readonly (readonly string[])[],
): GroupInflation | null {
  const names = [...new Set(sittings.flat())];
  if (names.length < FEWEST_SITTINGS) return null;
  const errors = errorsOfSites(
    samples.map((groups) => groups.flat()).filter(({ length }) => length > 0),
  );
  const estimates = names.map((name) => meanWithout(name, samples, sittings));
  const variance = errors && meanSquare(errors);
  if (!variance || !Number.isFinite(variance) || !estimates.every(Number.isFinite)) return null;
  const freedomOfSittings = names.length - 1;
  const spread = (standardDeviation(estimates) as number) ** 2;
  const jackknife = (spread * freedomOfSittings ** 2) / names.length;
  return { inflation: jackknife / variance, degreesOfFreedom: freedomOfSittings };
}

/** Mean of the sites' estimates without a sitting. */
function meanWithout(
  sitting: string,
  samples: readonly SiteSample[],
  sittings: readonly (readonly string[])[],
): number {
  const sites = samples
    .map((groups, site) => groups.filter((_, group) => sittings[site]?.[group] !== sitting).flat())
    .filter(({ length }) => length > 0);
  return mean(sites.map((values) => hodgesLehmann(values) as number)) ?? Number.NaN;
}

/**
 * The mean of inflations, at least 1: of several comparisons over the same sittings, which are assumed to increase their
 * variances alike. Their degrees of freedom add up; statistics/README.md has how often that errs.
 */
export function pooledInflation(found: readonly (GroupInflation | null)[]): GroupInflation {
  const known = found.filter((each) => each !== null);
  if (known.length === 0) return NOTHING_SHARED;
  return {
    inflation: Math.max(1, mean(known.map(({ inflation }) => inflation)) as number),
    degreesOfFreedom: known.reduce((sum, each) => sum + each.degreesOfFreedom, 0),
  };
}

/**
 * The interval that holds the mean with a chance of 1 - `level`, at one look.
 * @param level two-sided share outside, 0 to 1; 0: everything is possible
 */
export function fixedSitesInterval(
  { estimate, errors, degreesOfFreedom }: FixedSites,
  level: number,
): Interval | null {
  if (errors === null || !Number.isFinite(estimate)) return null;
  if (level === 0) return { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const t = tQuantile(1 - level / 2, freedom(degreesOfFreedom));
  return { low: estimate - t * errors.below, high: estimate + t * errors.above };
}

/** Level at which `fixedSitesInterval` begins to contain 0: a two-sided p of no mean effect; null: no interval. */
export function fixedSitesP({ estimate, errors, degreesOfFreedom }: FixedSites): number | null {
  if (errors === null || !Number.isFinite(estimate)) return null;
  if (estimate === 0) return 1;
  const error = estimate > 0 ? errors.below : errors.above;
  return tTails(Math.abs(estimate) / error, freedom(degreesOfFreedom));
}

/** Whole degrees of freedom, at least 1. Rounding errors take none: 6.999... of a sum are 7. */
export function freedom(degreesOfFreedom: number): number {
  return Math.max(1, Math.floor(degreesOfFreedom + 1e-9));
}

/**
 * The ranks of a site's values, in their groups. Outliers hardly move a Hodges-Lehmann estimate, but in a mean square of
 * values they would hide differences between browsers.
 */
export function rankedGroups(groups: SiteSample): number[][] {
  const ranks = doubledMidRanks(clampInfinite(groups.flat()));
  let at = 0;
  return groups.map(({ length }) => {
    at += length;
    return ranks.slice(at - length, at);
  });
}

/** Minimum number of sites for errors from the spread of their estimates: with fewer, the skew of these would decide. */
export const FEWEST_SITES = 20;

function errorsOfSpread(
  sites: readonly (readonly number[])[],
): Pick<FixedSites, 'errors' | 'degreesOfFreedom'> {
  const estimates = sites.map((values) => hodgesLehmann(values) as number);
  if (estimates.length < FEWEST_SITES || !estimates.every(Number.isFinite)) {
    return { errors: null, degreesOfFreedom: 0 };
  }
  const error = (standardDeviation(estimates) as number) / Math.sqrt(estimates.length);
  return { errors: { below: error, above: error }, degreesOfFreedom: estimates.length - 1 };
}

/** Errors come from 95 % intervals, or from narrower ones if failures make an end of these infinite. */
const TAILS = [TAIL_PROBABILITY, 0.1, 0.16];

function errorsOf(values: readonly number[]): Sides | null {
  const centre = hodgesLehmann(values) as number;
  const reaches = TAILS.flatMap((tail): Sides[] => {
    const interval = hodgesLehmannInterval(values, tail);
    if (interval === null) return [];
    const t = tQuantile((1 + interval.level) / 2, values.length - 1);
    return [{ below: (centre - interval.low) / t, above: (interval.high - centre) / t }];
  });
  const [first] = reaches;
  if (first === undefined) return null;
  const finite = (side: keyof Sides) =>
    reaches.map((each) => each[side]).find(Number.isFinite) ?? first[side];
  return { below: finite('below'), above: finite('above') };
}

/**
 * Minimum degrees of freedom of groups for the formula of a product: with 2 to 5, up to 9 % of simulated families erred at
 * 5 %; with 8, no more than with the fewer degrees of freedom.
 */
const FEWEST_FREEDOM_OF_GROUPS = 8;

/**
 * Satterthwaite's degrees of freedom of a product, the variance of sites times the inflation by groups: the relative
 * variances of its factors, 2 / degrees of freedom each, add up. That of groups counts from not at all, if the inflation is
 * 1, to fully, if it is 2 or more. Few groups may look alike by chance: then the fewer degrees of freedom count.
 * Source: Satterthwaite 1946, doi:10.2307/3002019.
 */
export function freedomOfProduct(
  ofSites: number,
  { inflation, degreesOfFreedom }: GroupInflation,
): number {
  if (degreesOfFreedom < FEWEST_FREEDOM_OF_GROUPS) return Math.min(degreesOfFreedom, ofSites);
  const share = Math.min(1, 2 * (1 - 1 / inflation));
  return 1 / (1 / ofSites + share / degreesOfFreedom);
}

/** Welch and Satterthwaite: degrees of freedom of a sum of variances, each of the mean of a sample. */
export function freedomOfSum(
  variances: readonly number[],
  samples: readonly (readonly number[])[],
): number {
  const finite = variances.every(Number.isFinite);
  const sum = variances.reduce((total, each) => total + each, 0);
  if (!finite || sum === 0) return Math.min(...samples.map(({ length }) => length - 1));
  const parts = variances.map((each, index) => each ** 2 / ((samples[index]?.length ?? 2) - 1));
  return sum ** 2 / parts.reduce((total, each) => total + each, 0);
}
