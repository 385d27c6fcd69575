import type { FixedSites } from './fixed-sites.ts';

/**
 * Difference of the means over the same sites (second minus first) of two independent samples, with standard errors: the lower limit
 * uses the second's error below and the first's above (Zou and Donner 2008, doi:10.1002/sim.3095), and Welch's degrees of freedom.
 * errors null: one of the samples lacks them; the estimate is not finite if either estimate is not.
 */
export function fixedSitesDifference(first: FixedSites, second: FixedSites): FixedSites {
  const estimate = second.estimate - first.estimate;
  if (first.errors === null || second.errors === null) {
    return { estimate, errors: null, degreesOfFreedom: 0 };
  }
  const errors = {
    below: Math.hypot(second.errors.below, first.errors.above),
    above: Math.hypot(second.errors.above, first.errors.below),
  };
  return { estimate, errors, degreesOfFreedom: welchFreedom([first, second]) };
}

function welchFreedom(parts: readonly FixedSites[]): number {
  const variances = parts.map(({ errors }) =>
    errors ? ((errors.below + errors.above) / 2) ** 2 : 0,
  );
  const sum = variances.reduce((total, each) => total + each, 0);
  const least = Math.min(...parts.map(({ degreesOfFreedom }) => degreesOfFreedom));
  if (sum === 0 || !Number.isFinite(sum)) return least;
  const shares = variances.map(
    (each, index) => each ** 2 / Math.max(1, parts[index]?.degreesOfFreedom ?? 1),
  );
  return sum ** 2 / shares.reduce((total, each) => total + each, 0);
}
