import { hodgesLehmann } from './hodges-lehmann.ts';
import type { PickIndex } from './random.ts';
import { walshAverage, walshCount } from './walsh-averages.ts';

/**
 * Half-width of the sorted middle, in multiples of n^1.5 ranks. The rank of a resample's estimate has a standard deviation
 * of about 0.29 of these.
 */
const REACH = 1;

/**
 * Makes a function that draws a resample (with replacement, of the same size) and returns its Hodges-Lehmann estimate, the
 * median of its Walsh averages. 10,000 resamples of 1,000 values take a second or two:
 * 1. Once, sort the averages around the middle, and choose every n-th as a milestone.
 * 2. For a resample, count how often each value is drawn; the count of an average follows from its two values.
 * 3. Count the averages up to the central milestone, and up to the one probably nearest to the median.
 * 4. Walk from there, average by average, to the median. If it is outside the sorted middle, use all averages.
 * @param values at least one
 */
export function hodgesLehmannResampler(values: readonly number[]): (pick: PickIndex) => number {
  const n = values.length;
  const order = [...values.keys()].sort((a, b) => (values[a] as number) - (values[b] as number));
  const sorted = order.map((index) => values[index] as number);
  const rankOf = new Int32Array(n);
  for (const [rank, index] of order.entries()) rankOf[index] = rank;
  const { low, high } = middleRange(sorted);
  const { averages, firsts, partners } = averagesWithin(sorted, low, high);
  const milestones = milestonesOf(sorted, averages, low);
  const times = new Int32Array(n);
  const timesUpTo = new Int32Array(n);
  const withinUpTo = new Int32Array(n + 1);
  // Averages are counted twice, since a value drawn k times has k (k + 1) / 2 of them with itself.
  const half = walshCount(n);

  /** Counts the averages up to a milestone, doubled. */
  const countAtMost = ({ lastPartners }: Milestone): number => {
    let pairs = 0;
    for (let i = 0; i < lastPartners.length; i++) {
      pairs += (times[i] as number) * (timesUpTo[lastPartners[i] as number] as number);
    }
    return 2 * pairs + (withinUpTo[lastPartners.length] as number);
  };

  const weightOf = (i: number) => {
    const first = firsts[i] as number;
    const partner = partners[i] as number;
    const drawn = times[first] as number;
    return drawn * (first === partner ? drawn + 1 : 2 * (times[partner] as number));
  };

  const fromAll = () =>
    hodgesLehmann(sorted.flatMap((value, rank) => new Array(times[rank]).fill(value))) as number;

  return (pick) => {
    times.fill(0);
    for (let i = 0; i < n; i++) {
      const rank = rankOf[pick(n)] as number;
      times[rank] = (times[rank] as number) + 1;
    }
    let drawn = 0;
    let within = 0;
    for (let i = 0; i < n; i++) {
      const own = times[i] as number;
      drawn += own;
      timesUpTo[i] = drawn;
      within += own * (own + 1 - 2 * drawn);
      withinUpTo[i + 1] = within;
    }
    // Starts at the central milestone and moves to the one estimated to be nearest to the median.
    const middle = milestones.length >> 1;
    let milestone = milestones[middle] as Milestone;
    let doubled = countAtMost(milestone);
    const guess = Math.round((milestone.index + (half - doubled) / 2) / n);
    const nearest = Math.max(0, Math.min(milestones.length - 1, guess));
    if (nearest !== middle) {
      milestone = milestones[nearest] as Milestone;
      doubled = countAtMost(milestone);
    }
    let i = milestone.index;
    if (doubled < half) {
      while (doubled < half && i < averages.length - 1) {
        i++;
        doubled += weightOf(i);
      }
      if (doubled < half) return fromAll();
    } else {
      while (i >= 0) {
        const weight = weightOf(i);
        if (doubled - weight < half) break;
        doubled -= weight;
        i--;
      }
      if (i < 0) return fromAll();
    }
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

/** Values between which almost all estimates of resamples lie: above `low`, at most `high`. */
function middleRange(sorted: readonly number[]): { low: number; high: number } {
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
    partners: Int32Array.from(pairs, ({ second }) => second),
  };
}

/** A sorted average from which a walk can start. */
interface Milestone {
  /** Index of the last average at or below it; -1: all are above. */
  index: number;
  /** For each value at or below it: rank of the last value with which its average is at or below it. */
  lastPartners: Int32Array;
}

/** `low` and every n-th average: counting the averages up to one costs about as much as a walk to the next. */
function milestonesOf(sorted: readonly number[], averages: Float64Array, low: number): Milestone[] {
  const milestones = [{ index: -1, lastPartners: lastPartnersOf(sorted, low) }];
  for (let place = sorted.length; place < averages.length; place += sorted.length) {
    const limit = averages[place] as number;
    let index = place;
    while (averages[index + 1] === limit) index++;
    milestones.push({ index, lastPartners: lastPartnersOf(sorted, limit) });
  }
  return milestones;
}

function lastPartnersOf(sorted: readonly number[], limit: number): Int32Array {
  const last: number[] = [];
  for (let first = 0; first < sorted.length && (sorted[first] as number) <= limit; first++) {
    last.push(firstAbove(sorted, first, limit) - 1);
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
