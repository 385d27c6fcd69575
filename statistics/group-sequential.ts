import { normalTail } from './normal-distribution.ts';
import { findRoot } from './root.ts';

/** A look: an interim analysis. */
export interface Look {
  /** Information fraction of error spending, 0 to 1: never decreases, and is 1 at the last look. */
  fraction: number;
  /** Information so far, for example the number of pairs; increases from look to look. */
  information: number;
}

/**
 * The two-sided level at which each look may call a difference, so that the chance of any false call over all looks is
 * `alpha`. The error spent up to a look is alpha ln(1 + (e - 1) fraction): early and late looks spend nearly the same, as
 * with Pocock's bounds. Looks need not be planned: a level depends only on earlier looks. The statistics of the looks are
 * assumed to be normal with independent increments; other tests use the same levels.
 *
 * Source: Lan and DeMets 1983, doi:10.1093/biomet/70.3.659; the recursion is that of Armitage, McPherson and Rowe 1969,
 * doi:10.2307/2343787; levels in place of bounds: Jennison and Turnbull 2000, Group Sequential Methods, section 3.2.
 * @throws RangeError when alpha is not between 0 and 1, or the looks are not in their order
 * @example nominalLevels(0.05, [{ fraction: 1, information: 20 }]) // one look: 0.05
 * @example nominalLevels(0.05, halves) // [0.0310, 0.0277] for fractions and information of 0.5 and 1
 */
export function nominalLevels(alpha: number, looks: readonly Look[]): number[] {
  if (!(alpha > 0 && alpha < 1))
    throw new RangeError(`alpha is ${alpha}, expected between 0 and 1`);
  const levels: number[] = [];
  let before: ContinuationRegion | null = null;
  let spent = 0;
  for (const { fraction, information } of looks) {
    if (!(information > (before?.information ?? 0))) {
      throw new RangeError(`information ${information} follows ${before?.information ?? 0}`);
    }
    const allowed = alpha * Math.log1p((Math.E - 1) * Math.min(1, fraction));
    if (allowed < spent) throw new RangeError(`fraction ${fraction} is less than the one before`);
    const bound = boundOf(before, information, allowed - spent);
    levels.push(2 * normalTail(bound));
    before = continueBeyond(before, information, bound);
    spent = allowed;
  }
  return levels;
}

/** Density of the sum of increments where no look has called a difference so far. */
interface ContinuationRegion {
  information: number;
  points: readonly number[];
  /** Density at each point times Simpson's weight. */
  masses: readonly number[];
}

/** Even, for Simpson's rule; twice as many change levels by less than 1e-6. */
const PIECES = 200;

/** Largest bound, in standard deviations: its level is 3e-35. */
const FARTHEST = 12;

/** The bound of a look, in standard deviations, that is crossed there for the first time with this chance. */
function boundOf(before: ContinuationRegion | null, information: number, chance: number): number {
  return findRoot((bound) => chance - crossing(before, information, bound), 0, FARTHEST);
}

function crossing(before: ContinuationRegion | null, information: number, bound: number): number {
  if (before === null) return 2 * normalTail(bound);
  const reach = bound * Math.sqrt(information);
  const deviation = Math.sqrt(information - before.information);
  return before.points.reduce((sum, point, index) => {
    const tails = normalTail((reach - point) / deviation) + normalTail((reach + point) / deviation);
    return sum + (before.masses[index] as number) * tails;
  }, 0);
}

function continueBeyond(
  before: ContinuationRegion | null,
  information: number,
  bound: number,
): ContinuationRegion {
  const reach = bound * Math.sqrt(information);
  const step = (2 * reach) / PIECES;
  const points = Array.from({ length: PIECES + 1 }, (_, index) => index * step - reach);
  const density = before === null ? startIn(information) : stepFrom(before, information);
  const masses = points.map((point, index) => {
    const weight = index === 0 || index === PIECES ? 1 : index % 2 === 1 ? 4 : 2;
    return (density(point) * weight * step) / 3;
  });
  return { information, points, masses };
}

function startIn(information: number) {
  return normalDensity(Math.sqrt(information));
}

function stepFrom({ information: from, points, masses }: ContinuationRegion, information: number) {
  const density = normalDensity(Math.sqrt(information - from));
  return (to: number) =>
    points.reduce((sum, point, index) => sum + (masses[index] as number) * density(to - point), 0);
}

function normalDensity(deviation: number) {
  return (distance: number) =>
    Math.exp(-((distance / deviation) ** 2) / 2) / (deviation * Math.sqrt(2 * Math.PI));
}
