import { MAD_TO_STANDARD_DEVIATION, medianAbsoluteDeviation } from './mad.ts';
import { median } from './median.ts';
import { type PickIndex, seededPick } from './random.ts';
import { RESAMPLES } from './resampling.ts';

/** Fewest values of a level, so that neither one nor two outlying values are one. */
export const FEWEST_OF_LEVEL = 3;

/**
 * A stretch with values before and after it must stand out by this many standard errors more than a beginning or end, since
 * a series has many more of them. Both then take about the same share of the error.
 */
const STRETCH_PENALTY = 0.5;

/** Equal statistics may differ by rounding. */
const ROUNDING = 1e-9;

/** Orders that are expected to be at the level or beyond it, so that their number hardly depends on the seed. */
const ORDERS_BEYOND = 100;

/** More would take minutes for long series. */
const MOST_ORDERS = 100_000;

/** A test ends once its decision is clear by this many standard errors. */
const ERRORS_UNTIL_CLEAR = 4;

/** In standard deviations: larger ones are cut, so that one or two outlying values count little; README.md has the choice. */
export const LARGEST_SCORE = 2.5;

/** A change to another level. */
interface LevelChange {
  /** Index of the first value of the new level. */
  at: number;
  /** Chance of a stretch as distinct as this one if its part of the series has one level; too large if the test ended early. */
  p: number;
}

/** Finds changes of level in a series. */
export type FindLevelChanges = (values: readonly number[]) => readonly LevelChange[];

interface LevelTest {
  seed: number;
  /** Chance to find any change in a series without one. */
  level: number;
}

/**
 * Makes a function that finds changes of level. If the order of the values is a matter of chance, it finds any with the
 * chance `level` at most, for any distribution of the values. A drift is found as a change, and values that depend on earlier
 * ones are more often.
 *
 * A permutation test: distances from the median in scaled median absolute deviations, cut, and the largest
 * standardized mean of a beginning, an end (Worsley 1979, doi:10.1080/01621459.1979.10482519) or a stretch between (circular
 * binary segmentation: Olshen et al. 2004, doi:10.1093/biostatistics/kxh008), against random orders of the same values, with
 * the seed. Ranks would hide the size of a change: a few of the largest values at the end are no rare order. It divides the
 * series where it found a change, and tests each part at its share of the level, which is its share of the values
 * (Meinshausen 2008, doi:10.1093/biomet/asn007). Each change is then placed anew between its neighbours
 * (Bai 1997, doi:10.1017/S0266466600005831).
 */
export function levelChangeFinder({ seed, level: whole }: LevelTest): FindLevelChanges {
  const divide = (values: readonly number[], level: number): LevelChange[] => {
    if (values.length < 2 * FEWEST_OF_LEVEL || 1 / (ordersFor(level) + 1) > level) return [];
    const scores = clippedScores(values);
    const { from, to, statistic } = mostDistinct(scores);
    const p = shareOfOrders(scores, { statistic, level, pick: seededPick(seed) });
    if (p === null) return [];
    return pairsOf([...new Set([0, from, to, values.length])]).flatMap(([begin, end]) => {
      const share = (end - begin) / values.length;
      const within = divide(values.slice(begin, end), level * share);
      const moved = within.map((change) => ({ ...change, at: begin + change.at }));
      return begin === 0 ? moved : [{ at: begin, p }, ...moved];
    });
  };
  return (values) => placedAnew(values, divide(values, whole));
}

/** Random orders that a test at this level draws at most. */
export function ordersFor(level: number): number {
  return Math.min(MOST_ORDERS, Math.max(RESAMPLES, Math.ceil(ORDERS_BEYOND / level)));
}

/** Passes that place changes anew; most series need one or two. */
const MOST_PASSES = 10;

function placedAnew(
  values: readonly number[],
  changes: readonly LevelChange[],
): readonly LevelChange[] {
  const placed = changes.map((change) => ({ ...change }));
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    let hasMoved = false;
    for (const [place, change] of placed.entries()) {
      const begin = placed[place - 1]?.at ?? 0;
      const end = placed[place + 1]?.at ?? values.length;
      const { to } = mostDistinct(clippedScores(values.slice(begin, end)), 0);
      // Equal values have no better place.
      const at = to === 0 ? change.at : begin + to;
      hasMoved ||= at !== change.at;
      change.at = at;
    }
    if (!hasMoved) break;
  }
  return placed;
}

function pairsOf(ends: readonly number[]): (readonly [begin: number, end: number])[] {
  return ends.slice(1).map((end, place) => [ends[place] ?? 0, end]);
}

/**
 * Fewest values with which `levelChangeFinder` finds the clearest change halfway: one order of the values and its
 * reverse are as distinct, and random orders have these more often by chance, here by up to three standard errors. Null: it
 * finds none with any number, because it draws too few orders for this level.
 */
export function fewestForLevelChange(level: number): number | null {
  if (1 / (ordersFor(level) + 1) > level) return null;
  let n = 2 * FEWEST_OF_LEVEL;
  while (!canBeFound(n, Math.floor(n / 2), level)) n += 1;
  return n;
}

/** Fewest values at the end, after `nBefore` values, with which the clearest change is found; null: no number is enough. */
export function fewestAtEnd(nBefore: number, level: number): number | null {
  if (nBefore < FEWEST_OF_LEVEL || 1 / (ordersFor(level) + 1) > level) return null;
  let n = FEWEST_OF_LEVEL;
  while (!canBeFound(nBefore + n, n, level)) n += 1;
  return n;
}

function canBeFound(n: number, nApart: number, level: number): boolean {
  return largestP(2 / choose(n, nApart), ordersFor(level)) <= level;
}

function largestP(p: number, orders: number): number {
  return (1 + orders * p + 3 * Math.sqrt(orders * p)) / (orders + 1);
}

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

/** If more than half of the values are equal, the deviation is 0, and each different value has the largest score. */
function clippedScores(values: readonly number[]): Float64Array {
  const centre = median(values) ?? 0;
  const deviation = MAD_TO_STANDARD_DEVIATION * (medianAbsoluteDeviation(values) ?? 0);
  return Float64Array.from(values, (value) => {
    const score = value === centre ? 0 : (value - centre) / deviation;
    return Math.max(-LARGEST_SCORE, Math.min(LARGEST_SCORE, score));
  });
}

/**
 * Share of random orders with this statistic or a larger one; null: more than the level. It draws no more orders once
 * enough have been as distinct (Besag and Clifford 1991, doi:10.1093/biomet/78.2.301), or so few that the share is below the
 * level by `ERRORS_UNTIL_CLEAR` standard errors.
 */
function shareOfOrders(
  scores: Float64Array,
  { statistic, level, pick }: { statistic: number; level: number; pick: PickIndex },
): number | null {
  const orders = ordersFor(level);
  const order = Float64Array.from(scores);
  let nBeyond = 0;
  for (let drawn = 1; drawn <= orders; drawn++) {
    shuffle(order, pick);
    if (mostDistinct(order).statistic >= statistic - ROUNDING) nBeyond += 1;
    if ((1 + nBeyond) / (orders + 1) > level) return null;
    const expected = level * drawn;
    if (expected - nBeyond > ERRORS_UNTIL_CLEAR * Math.sqrt(expected)) {
      return (1 + nBeyond) / (drawn + 1);
    }
  }
  return (1 + nBeyond) / (orders + 1);
}

/** Fisher and Yates. */
function shuffle(values: Float64Array, pick: PickIndex): void {
  for (let last = values.length - 1; last > 0; last--) {
    const other = pick(last + 1);
    const value = values[last] as number;
    values[last] = values[other] as number;
    values[other] = value;
  }
}

interface Stretch {
  from: number;
  /** Index after its last value. */
  to: number;
  statistic: number;
}

/**
 * The stretch whose mean is most standard errors from that of all other values.
 * @param latestFrom 0: only beginnings, and so ends
 */
function mostDistinct(
  scores: Float64Array,
  latestFrom = scores.length - 2 * FEWEST_OF_LEVEL,
): Stretch {
  const n = scores.length;
  const mean = scores.reduce((total, each) => total + each, 0) / n;
  const variance = scores.reduce((total, each) => total + (each - mean) ** 2, 0) / (n - 1);
  if (variance === 0) return { from: 0, to: 0, statistic: 0 };
  const sums = new Float64Array(n + 1);
  const perError = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) {
    sums[i + 1] = (sums[i] as number) + (scores[i] as number) - mean;
    perError[i] = 1 / Math.sqrt((variance * i * (n - i)) / n);
  }
  let [bestFrom, bestTo, most] = [0, 0, Number.NEGATIVE_INFINITY];
  for (let from = 0; from <= latestFrom; from = Math.max(from + 1, FEWEST_OF_LEVEL)) {
    const before = sums[from] as number;
    const penalty = from === 0 ? 0 : STRETCH_PENALTY;
    for (let to = from + FEWEST_OF_LEVEL; to <= n - FEWEST_OF_LEVEL; to++) {
      const distance = Math.abs((sums[to] as number) - before);
      const statistic = distance * (perError[to - from] as number) - penalty;
      if (statistic > most) [bestFrom, bestTo, most] = [from, to, statistic];
    }
  }
  return { from: bestFrom, to: bestTo, statistic: most };
}
