import { mean } from './mean.ts';

/** Values in the groups that shared something, for example browsers. */
type GroupedValues = readonly (readonly number[])[];

/** Factor by which groups increase a variance over that of values that share nothing. */
export interface GroupInflation {
  /** 1 or more. */
  inflation: number;
  /** Infinite: nothing is shared. */
  degreesOfFreedom: number;
}

/**
 * Kish's design effect: the variance of a mean, divided by that of as many values with the same overall spread that share
 * nothing. It is the mean square between groups divided by the mean square of all values around their sample's mean, pooled
 * over the samples, and at least 1: less, from few groups, would make intervals too narrow. It is 1 if it is unknown, as
 * every group has one value or no sample has two groups. Infinite values are excluded.
 * Source: Kish 1965, Survey Sampling, section 5.4; Snedecor and Cochran 1989, Statistical Methods (8th ed.), section 12.5.
 * @example groupInflation([[[1, 2], [1, 2]]]) // groups alike: 1, with 1 degree of freedom
 * @example groupInflation([[[1, 2], [3, 4]]]) // 4 between, 5 / 3 over all: 2.4, with 1 degree of freedom
 */
export function groupInflation(samples: readonly GroupedValues[]): GroupInflation {
  let between = 0;
  let betweenFreedom = 0;
  let within = 0;
  let withinFreedom = 0;
  for (const sample of samples) {
    const groups = sample
      .map((group) => group.filter(Number.isFinite))
      .filter(({ length }) => length > 0);
    const values = groups.flat();
    const centre = mean(values) ?? 0;
    betweenFreedom += Math.max(0, groups.length - 1);
    withinFreedom += values.length - groups.length;
    for (const group of groups) {
      const middle = mean(group) as number;
      between += group.length * (middle - centre) ** 2;
      within += group.reduce((sum, value) => sum + (value - middle) ** 2, 0);
    }
  }
  if (betweenFreedom === 0 || withinFreedom === 0) return NOTHING_SHARED;
  const overall = (between + within) / (betweenFreedom + withinFreedom);
  if (overall === 0) return NOTHING_SHARED;
  const inflation = between / betweenFreedom / overall;
  return { inflation: Math.max(1, inflation), degreesOfFreedom: betweenFreedom };
}

export const NOTHING_SHARED: GroupInflation = {
  inflation: 1,
  degreesOfFreedom: Number.POSITIVE_INFINITY,
};
