import type { Estimate } from '../../kit/text/estimate.ts';
import { hodgesLehmann } from '../../statistics/hodges-lehmann.ts';
import { FEWEST_FOR_INTERVAL, TAIL_PROBABILITY } from '../../statistics/interval.ts';
import { normalTail } from '../../statistics/normal-distribution.ts';
import { quantile } from '../../statistics/quantile.ts';
import { seededPick } from '../../statistics/random.ts';
import { RESAMPLES, type Resampling } from '../../statistics/resampling.ts';
import { standardDeviation } from '../../statistics/standard-deviation.ts';
import { tQuantile } from '../../statistics/t-distribution.ts';
import { hodgesLehmannResampler } from '../../statistics/walsh-resampler.ts';

/**
 * By what factor a ratio is higher in a second run: e to the power of the difference of the Hodges-Lehmann estimates of
 * both runs' paired log ratios. The runs are independent samples: each run's pairs are resampled for themselves, 10,000
 * times, seeded, and the percentiles of the differences are taken where a normal distribution has the distance of
 * Student's t with Welch's degrees of freedom (the two-sample form of the expanded percentile of Hesterberg 2015,
 * doi:10.1080/00031305.2015.1089789). No interval below 6 pairs in one of the runs; null without pairs in one of them.
 * @param first log ratios of the pairs of one site in the first run
 * @param second the same of the second run
 */
export function ratioChange(
  first: readonly number[],
  second: readonly number[],
  { seed, resamples = RESAMPLES }: Resampling,
): Estimate | null {
  const [centre, secondCentre] = [hodgesLehmann(first), hodgesLehmann(second)];
  if (centre === null || secondCentre === null) return null;
  const estimate = Math.exp(secondCentre - centre);
  if (Math.min(first.length, second.length) < FEWEST_FOR_INTERVAL) {
    return { estimate, low: null, high: null };
  }
  const pick = seededPick(seed);
  const resampleFirst = hodgesLehmannResampler(first);
  const resampleSecond = hodgesLehmannResampler(second);
  const changes = Array.from(
    { length: resamples },
    () => resampleSecond(pick) - resampleFirst(pick),
  );
  const tail = welchTail([first, second]);
  return {
    estimate,
    low: Math.exp(quantile(changes, tail) as number),
    high: Math.exp(quantile(changes, 1 - tail) as number),
  };
}

/** Probability of the lower end of the percentile interval of a difference of two resampled estimates. */
function welchTail(samples: readonly (readonly number[])[]): number {
  const parts = samples.map((values) => {
    const n = values.length;
    return { n, squaredError: (standardDeviation(values) as number) ** 2 / n };
  });
  const sum = (of: (part: (typeof parts)[number]) => number) =>
    parts.reduce((total, part) => total + of(part), 0);
  const whole = sum(({ squaredError }) => squaredError);
  // All differences are equal, so every percentile is the same number.
  if (whole === 0) return TAIL_PROBABILITY;
  const degreesOfFreedom = whole ** 2 / sum(({ n, squaredError }) => squaredError ** 2 / (n - 1));
  // Resampling underestimates the error by (n - 1) / n in each sample.
  const resampled = sum(({ n, squaredError }) => (squaredError * (n - 1)) / n);
  return normalTail(
    Math.sqrt(whole / resampled) * tQuantile(1 - TAIL_PROBABILITY, Math.floor(degreesOfFreedom)),
  );
}
