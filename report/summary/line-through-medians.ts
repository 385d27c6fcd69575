import type { Estimate } from '../../kit/text/estimate.ts';
import { expandedTail } from '../../statistics/expanded-percentile.ts';
import { FEWEST_FOR_INTERVAL } from '../../statistics/interval.ts';
import { median } from '../../statistics/median.ts';
import { quantileInPlace } from '../../statistics/quantile.ts';
import { type PickIndex, seededPick } from '../../statistics/random.ts';
import { RESAMPLES } from '../../statistics/resampling.ts';
import { theilSenOver } from '../../statistics/theil-sen.ts';

/**
 * The Theil-Sen line through the medians of loads' times, one at each round-trip time; intervals are expanded
 * percentiles of 10,000 lines, each through the medians of loads resampled at each round-trip time apart. Null with
 * fewer than two points that have values; no intervals where a point has fewer than 6.
 */
export function lineThroughMedians(
  points: readonly { rttMs: number; valuesMs: readonly number[] }[],
  seed: number,
): { roundTrips: Estimate; interceptMs: Estimate } | null {
  const measured = points.filter(({ valuesMs }) => valuesMs.length > 0);
  const lineThrough = theilSenOver(measured.map(({ rttMs }) => rttMs));
  if (lineThrough === null) return null;
  const line = lineThrough(measured.map(({ valuesMs }) => median(valuesMs) as number));
  const fewest = Math.min(...measured.map(({ valuesMs }) => valuesMs.length));
  if (fewest < FEWEST_FOR_INTERVAL) {
    return { roundTrips: without(line.slope), interceptMs: without(line.intercept) };
  }
  const pick = seededPick(seed);
  const draws = measured.map(({ valuesMs }) => medianResampler(valuesMs));
  const mediansMs = new Array<number>(draws.length);
  const slopes = new Float64Array(RESAMPLES);
  const intercepts = new Float64Array(RESAMPLES);
  for (let resample = 0; resample < RESAMPLES; resample++) {
    for (let i = 0; i < draws.length; i++)
      mediansMs[i] = (draws[i] as (typeof draws)[number])(pick);
    const resampled = lineThrough(mediansMs);
    slopes[resample] = resampled.slope;
    intercepts[resample] = resampled.intercept;
  }
  const tail = expandedTail(fewest);
  const within = (estimate: number, values: Float64Array): Estimate => ({
    estimate,
    low: quantileInPlace(values, tail),
    high: quantileInPlace(values, 1 - tail),
  });
  return {
    roundTrips: within(line.slope, slopes),
    interceptMs: within(line.intercept, intercepts),
  };
}

function without(estimate: number): Estimate {
  return { estimate, low: null, high: null };
}

/** Draws a resample and gives its median, by counting how often each of the sorted values was drawn. */
function medianResampler(values: readonly number[]): (pick: PickIndex) => number {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  const times = new Uint32Array(n);
  return (pick) => {
    times.fill(0);
    for (let draw = 0; draw < n; draw++) {
      const index = pick(n);
      times[index] = (times[index] as number) + 1;
    }
    let index = 0;
    let count = times[0] as number;
    // The value of rank n / 2 rounded up, and the next one if n is even.
    const rank = Math.ceil(n / 2);
    while (count < rank) {
      index++;
      count += times[index] as number;
    }
    const lower = sorted[index] as number;
    if (n % 2 === 1 || count > rank) return lower;
    do index++;
    while (times[index] === 0);
    return (lower + (sorted[index] as number)) / 2;
  };
}
