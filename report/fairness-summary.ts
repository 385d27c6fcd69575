import { type ComparedProperty, compareStacks, type StackPair } from '../records/like-for-like.ts';
import { mergeReadings, readingsOfLoads } from '../records/load-readings.ts';
import type { PageLoad } from '../records/page-load.ts';
import type { StackReadings } from '../records/stack-readings.ts';

/**
 * What two stacks had in common over the whole run, and whether comparing them speaks of protocols. A property is equal
 * when it is on every site; where it is not, `a` and `b` are of the first site that shows it and the note names it.
 */
export type PairFairness = StackPair;

/**
 * Every pair of stacks, site by site and then together.
 * @param before stack to what was known of it before the first load
 * @param loads of the same sites and conditions for every stack: those that are counted
 */
export function fairnessOf(
  before: Readonly<Record<string, StackReadings>>,
  loads: readonly PageLoad[],
): PairFairness[] {
  const bySite = [...Map.groupBy(loads, ({ site }) => site)].map(([site, own]) => ({
    site,
    pairs: compareStacks(
      inOrder(before, mergeReadings(before, readingsOfLoads(own))),
      'after loads',
    ),
  }));
  const [first] = bySite;
  if (!first) return compareStacks(before, 'after loads');
  return first.pairs.map((pair, index) => {
    const sites = bySite.flatMap(({ site, pairs }) => {
      const found = pairs[index];
      return found ? [{ site, pair: found }] : [];
    });
    const worst =
      sites.find((each) => each.pair.likeForLike === 'no') ??
      sites.find((each) => each.pair.likeForLike === 'unknown');
    const { likeForLike, sentence } = worst?.pair ?? pair;
    return {
      ...pair,
      likeForLike,
      sentence,
      properties: pair.properties.map((property, place) => overSites(property, place, sites)),
    };
  });
}

type PairOfSite = { site: string; pair: StackPair };

function overSites(
  property: ComparedProperty,
  place: number,
  sites: readonly PairOfSite[],
): ComparedProperty {
  const found = sites.flatMap(({ site, pair }) => {
    const one = pair.properties[place];
    return one ? [{ site, one }] : [];
  });
  const worst =
    found.find(({ one }) => one.verdict === 'differs') ??
    found.find(({ one }) => one.verdict === 'unknown');
  if (!worst) return property;
  const isEverywhere = found.every(({ one }) => one.verdict === worst.one.verdict);
  if (isEverywhere) return worst.one;
  return { ...worst.one, note: `On ${worst.site}. ${worst.one.note}`.trim() };
}

/** In the order of the stacks before the loads, so that pairs are named the same way on every site. */
function inOrder(
  before: Readonly<Record<string, StackReadings>>,
  merged: Readonly<Record<string, StackReadings>>,
): Record<string, StackReadings> {
  return Object.fromEntries(
    [...Object.keys(before), ...Object.keys(merged).toSorted()].map((stack) => [
      stack,
      merged[stack] ?? {},
    ]),
  );
}
