import { experimentOf } from '../../experiments/index.ts';
import type { ComparedProperty, StackPair } from '../../records/fairness.ts';
import { compareStacks, propertiesAt } from '../../records/like-for-like.ts';
import { lossesOfLoads, mergeReadings, readingsOfLoads } from '../../records/load-readings.ts';
import type { RunRecord } from '../../records/run.ts';
import type { StackProperty, StackReadings } from '../../records/stack-readings.ts';
import { type Block, countedIn } from './blocks.ts';

/**
 * What two stacks had in common over the whole run, and whether comparing them speaks of protocols. A property is equal
 * when it is on every site; where it is not, `a` and `b` are of the first site that shows it and the note names it.
 */
export type PairFairness = StackPair;

/** Whether a pair is of these two, in either order. */
export function isPairOf(
  { a, b }: Pick<PairFairness, 'a' | 'b'>,
  one: string,
  other: string,
): boolean {
  return (a === one && b === other) || (a === other && b === one);
}

/**
 * Every pair of stacks, controls apart, site by site over the loads that are counted, and then together. Losses at full sockets
 * are those of all measured loads of the run. None of a run that was read from a file, of which nothing is known.
 */
export function fairnessOf(
  run: Pick<RunRecord, 'experiment' | 'arms' | 'fairness' | 'read'>,
  blocks: readonly Block[],
): PairFairness[] {
  if (run.read) return [];
  const { arms, fairness } = run;
  const { readings } = experimentOf(run);
  const names = arms.filter(({ controlOf }) => controlOf === null).map(({ arm }) => arm);
  const losses = lossesOfLoads(blocks.flatMap(({ made }) => made));
  const before = readingsIn(names, mergeReadings(fairness.readings, losses));
  const sites = [...Map.groupBy(countedIn(blocks), ({ subject }) => subject)].map(
    ([subject, own]) => ({
      subject,
      known: readingsIn(names, mergeReadings(before, readingsOfLoads(own, readings))),
    }),
  );
  const seen = sites.length > 0 ? sites.map(({ known }) => known) : [{ none: readings([]) }];
  const asked = askedIn([before, ...seen]);
  const bySite = sites.map(({ subject, known }) => ({
    subject,
    pairs: compareStacks(known, 'after loads', asked),
  }));
  return compareStacks(before, 'after loads', asked).map((pair, index) => {
    const subjects = bySite.flatMap(({ subject, pairs }) => {
      const found = pairs[index];
      return found ? [{ subject, pair: found }] : [];
    });
    const [first = { pair }] = subjects;
    const worst =
      subjects.find((each) => each.pair.likeForLike === 'no') ??
      subjects.find((each) => each.pair.likeForLike === 'unknown') ??
      first;
    const { likeForLike, sentence, properties } = worst.pair;
    return {
      ...pair,
      likeForLike,
      sentence,
      properties: properties.map((property, place) => overSites(property, place, subjects)),
    };
  });
}

/** The properties that anything was asked for: of connections nobody asks how many requests they carried. */
function askedIn(all: readonly Readonly<Record<string, StackReadings>>[]): StackProperty[] {
  const known = new Set(all.flatMap((stacks) => Object.values(stacks).flatMap(Object.keys)));
  return propertiesAt('after loads').filter((property) => known.has(property));
}

/** Every stack in the run's order, so that pairs are named the same way on every site. */
function readingsIn(
  names: readonly string[],
  readings: Readonly<Record<string, StackReadings>>,
): Record<string, StackReadings> {
  return Object.fromEntries(names.map((arm) => [arm, readings[arm] ?? {}]));
}

type PairOfSite = { subject: string; pair: StackPair };

function overSites(
  property: ComparedProperty,
  place: number,
  subjects: readonly PairOfSite[],
): ComparedProperty {
  const found = subjects.flatMap(({ subject, pair }) => {
    const one = pair.properties[place];
    return one ? [{ subject, one }] : [];
  });
  const worst =
    found.find(({ one }) => one.verdict === 'differs') ??
    found.find(({ one }) => one.verdict === 'unknown');
  if (!worst) return property;
  const isEverywhere = found.every(({ one }) => one.verdict === worst.one.verdict);
  if (isEverywhere) return worst.one;
  return { ...worst.one, note: `On ${worst.subject}. ${worst.one.note}`.trim() };
}
