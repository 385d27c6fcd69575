import { hodgesLehmann } from './hodges-lehmann.ts';
import type { PickIndex } from './random.ts';
import { walshAverage, walshCount } from './walsh-averages.ts';

/**
 * By so many times n to the power of 1.5 ranks an estimate of a resample lies off the middle, hardly ever more: its rank
 * has a standard deviation of about 0.29 of these.
 */
const REACH = 0.75;

/**
 * Makes a function that draws a resample (with replacement, of the same size) and gives its Hodges-Lehmann estimate.
 * The Walsh averages around the middle are sorted once; how often each is in a resample follows from how often its two
 * values are, so a resample costs one walk through some of them, and 10,000 resamples of 1,000 values some seconds. The few
 * estimates that lie further off are looked for among all averages. Wants at least one value.
 */
export function hodgesLehmannResampler(values: readonly number[]): (pick: PickIndex) => number {
  const n = values.length;
  const order = [...values.keys()].sort((a, b) => (values[a] as number) - (values[b] as number));
  const sorted = order.map((index) => values[index] as number);
  const rankOf = new Int32Array(n);
  for (const [rank, index] of order.entries()) rankOf[index] = rank;
  const { low, high } = aroundMiddle(sorted);
  const { averages, firsts, partners } = averagesWithin(sorted, low, high);
  const lastAtMostLow = lastPartners(sorted, low);
  const times = new Int32Array(n);
  const timesUpTo = new Int32Array(n);
  const factors = new Int32Array(2 * n);
  // Averages are counted twice, since a value drawn k times has k (k + 1) / 2 of them with itself.
  const half = walshCount(n);

  const weightOf = (i: number) =>
    (times[firsts[i] as number] as number) * (factors[partners[i] as number] as number);

  const fromAll = () =>
    hodgesLehmann(sorted.flatMap((value, rank) => new Array(times[rank]).fill(value))) as number;

  return (pick) => {
    times.fill(0);
    for (let i = 0; i < n; i++) {
      const rank = rankOf[pick(n)] as number;
      times[rank] = (times[rank] as number) + 1;
    }
    let drawn = 0;
    for (let i = 0; i < n; i++) {
      drawn += times[i] as number;
      timesUpTo[i] = drawn;
      factors[i] = 2 * (times[i] as number);
      factors[n + i] = (times[i] as number) + 1;
    }
    let doubled = 0;
    for (let i = 0; i < lastAtMostLow.length; i++) {
      const others = (timesUpTo[lastAtMostLow[i] as number] as number) - (timesUpTo[i] as number);
      doubled += (times[i] as number) * ((factors[n + i] as number) + 2 * others);
    }
    if (doubled >= half) return fromAll();
    let i = -1;
    while (doubled < half && i < averages.length - 1) {
      i++;
      doubled +=
        (times[firsts[i] as number] as number) * (factors[partners[i] as number] as number);
    }
    if (doubled < half) return fromAll();
    const lower = averages[i] as number;
    if (doubled > half) return lower;
    let weight = 0;
    while (weight === 0 && i < averages.length - 1) {
      i++;
      weight = weightOf(i);
    }
    return weight === 0 ? fromAll() : (lower + (averages[i] as number)) / 2;
  };
}

/** Between which values almost all estimates of resamples lie: above `low`, and no more than `high`. */
function aroundMiddle(sorted: readonly number[]): { low: number; high: number } {
  const count = walshCount(sorted.length);
  const reach = Math.ceil(REACH * sorted.length ** 1.5);
  const [first, last] = [Math.ceil(count / 2) - reach, Math.ceil(count / 2) + reach];
  return {
    low: first < 1 ? Number.NEGATIVE_INFINITY : walshAverage(sorted, first),
    high: last > count ? Number.POSITIVE_INFINITY : walshAverage(sorted, last),
  };
}

/** The Walsh averages above `low` and up to `high`, ascending, with the ranks of their two values. */
function averagesWithin(sorted: readonly number[], low: number, high: number) {
  const n = sorted.length;
  const pairs: { average: number; first: number; second: number }[] = [];
  for (let first = 0; first < n; first++) {
    const value = sorted[first] as number;
    // Averages with the same first value ascend.
    for (let second = firstAbove(sorted, first, low); second < n; second++) {
      const average = (value + (sorted[second] as number)) / 2;
      if (average > high) break;
      pairs.push({ average, first, second });
    }
  }
  pairs.sort((a, b) => a.average - b.average);
  return {
    averages: Float64Array.from(pairs, ({ average }) => average),
    firsts: Int32Array.from(pairs, ({ first }) => first),
    // A value with itself has a factor of its own, so that the walk needs no branch: it is what 10,000 resamples cost.
    partners: Int32Array.from(pairs, ({ first, second }) =>
      first === second ? n + second : second,
    ),
  };
}

/** For each value that has an average of at most `low` with itself: the last value with which it has such a one. */
function lastPartners(sorted: readonly number[], low: number): Int32Array {
  const last: number[] = [];
  for (let first = 0; first < sorted.length && (sorted[first] as number) <= low; first++) {
    last.push(firstAbove(sorted, first, low) - 1);
  }
  return Int32Array.from(last);
}

/** The rank of the first value, from `first` on, whose average with the value of this rank is above `low`. */
function firstAbove(sorted: readonly number[], first: number, low: number): number {
  let [from, to] = [first, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const average = ((sorted[first] as number) + (sorted[middle] as number)) / 2;
    if (average <= low) from = middle + 1;
    else to = middle;
  }
  return from;
}
