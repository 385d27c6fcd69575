import { freedom, freedomOfProduct, freedomOfSum, rankedGroups } from './fixed-sites.ts';
import { groupInflation } from './group-inflation.ts';
import { FEWEST_FOR_INTERVAL, type Interval } from './interval.ts';
import { mean } from './mean.ts';
import { tQuantile } from './t-distribution.ts';

/** Values of one stratum, in the groups that shared something, for example browsers. */
export interface Stratum {
  /** Share of the whole, 0 to 1. */
  weight: number;
  groups: readonly (readonly number[])[];
}

/** A weighted mean of the means of strata. */
interface StratifiedMean {
  estimate: number;
  /** Its standard error; null: a stratum has fewer than 6 values. */
  error: number | null;
  degreesOfFreedom: number;
  /** Third central moment of the estimate over its error cubed. */
  skewness: number;
}

/**
 * Weighted mean over strata, with the degrees of freedom of Welch and Satterthwaite, widened for groups (`groupInflation`).
 * Null without strata, or with an empty one.
 */
export function stratifiedMean(strata: readonly Stratum[]): StratifiedMean | null {
  const samples = strata.map(({ groups }) => groups.flat());
  if (samples.length === 0 || samples.some(({ length }) => length === 0)) return null;
  let [estimate, variance, third] = [0, 0, 0];
  const variances = samples.map((values, index) => {
    const { weight } = strata[index] as Stratum;
    const n = values.length;
    const centre = mean(values) as number;
    const moment = (power: number) =>
      values.reduce((sum, value) => sum + (value - centre) ** power, 0);
    const own = (weight ** 2 * moment(2)) / (n - 1) / n;
    estimate += weight * centre;
    variance += own;
    third += (weight ** 3 * moment(3)) / ((n - 1) * (n - 2) * n);
    return own;
  });
  const inflation = groupInflation(strata.map(({ groups }) => rankedGroups(groups)));
  const known = samples.every(({ length }) => length >= FEWEST_FOR_INTERVAL);
  return {
    estimate,
    error: known ? Math.sqrt(variance * inflation.inflation) : null,
    degreesOfFreedom: freedomOfProduct(freedomOfSum(variances, samples), inflation),
    skewness: variance === 0 ? 0 : third / variance ** 1.5,
  };
}

/** Smallest factor with which 94 % of the simulated intervals hold the truth. */
const SHIFT = 2.5;

/**
 * The interval of the mean with a chance of 1 - `level`: Student's t, and on the side to which the values are skewed
 * 2.5 times Johnson's shift in addition, because few values look less skewed than they are. The factor was chosen by
 * simulation (statistics/README.md). Null: too few values.
 * Source: Johnson 1978, doi:10.1080/01621459.1978.10480051.
 * @param level two-sided share outside, above 0 and below 1
 */
export function stratifiedMeanInterval(
  { estimate, error, degreesOfFreedom, skewness }: StratifiedMean,
  level: number,
): Interval | null {
  if (error === null) return null;
  const t = tQuantile(1 - level / 2, freedom(degreesOfFreedom));
  const shift = (SHIFT * skewness * (1 + 2 * t ** 2)) / 6;
  return {
    low: estimate + error * (Math.min(0, shift) - t),
    high: estimate + error * (Math.max(0, shift) + t),
  };
}
