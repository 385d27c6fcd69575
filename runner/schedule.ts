import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { unusualIn } from '../experiments/index.ts';
import { subjectConditionKey } from '../ground/records/cell.ts';
import { combinationsOf, type Factors, variantOf } from '../ground/records/factors.ts';
import type { NetworkCondition } from '../ground/records/network.ts';
import { BOUNDS } from '../ground/records/ranges.ts';
import type { RunChoices, Trial } from '../ground/records/run.ts';

/** What a schedule is made from. */
export interface ScheduleInput {
  subjects: readonly string[];
  arms: readonly string[];
  /** Those of them that a subject has; absent: every subject has all. */
  armsOf?: (subject: string) => readonly string[];
  networks: readonly NetworkCondition[];
  /** Name of a factor to its values. */
  factors: Readonly<Record<string, readonly string[]>>;
  repetitions: number;
  /** Whether stacks take turns, or one comes after the other. */
  order: RunChoices['order'];
  seed: number;
  /** Blocks of each condition of a subject between one subject and the next; absent: as many as let each arm have each place. */
  blocksPerRound?: number;
  /** Absent: yes. */
  warmsUp?: boolean;
}

/**
 * Every page load of a run in its order. A shuffled one goes in rounds: of each site, one after the other, some blocks of every
 * network condition and kind of visit, taken in turns. A block has every stack once; over the blocks of a balanced set each stack
 * has each place equally often, and follows each other one equally often. Slow drift of the machine then meets stacks, conditions
 * and sites alike. Stacks of a block share the seed of the network's losses. One warm-up of every stack comes first at each site. A
 * sequential schedule is as many published ones are: stack by stack. The same input gives the same schedule.
 */
export function makeSchedule(input: ScheduleInput): Trial[] {
  const random = xoroshiro128plus(input.seed);
  const conditions = conditionsOf(input);
  const perRound =
    input.order === 'shuffled'
      ? (input.blocksPerRound ?? blocksPerRound(input.arms.length))
      : input.repetitions;
  const armsOf = input.armsOf ?? (() => input.arms);
  const orders = new Map(
    input.subjects.flatMap((subject) =>
      conditions.map(({ name }) => {
        const own = ordersOf({ ...input, arms: armsOf(subject) }, random);
        return [`${subject} ${name}`, own] as const;
      }),
    ),
  );
  const trialsOf = (subject: string, { network, factors, name }: Condition, block: number) => {
    const networkSeed = uniformInt(random, 1, BOUNDS.seed[1]);
    const arms =
      block === 0 ? armsOf(subject) : (orders.get(`${subject} ${name}`)?.[block - 1] ?? []);
    return arms.map((arm) => ({
      id: `${subject}.${name}.${arm}.${block === 0 ? 'warm-up' : block}`,
      subject,
      arm,
      network,
      networkSeed,
      repetition: block,
      block,
      warmup: block === 0,
      factors,
    }));
  };
  const trials: Trial[] = [];
  for (let from = 1; from <= Math.max(1, input.repetitions); from += perRound) {
    for (const subject of input.subjects) {
      // Warm-ups come once for each site: the servers are the same under all conditions.
      const [first] = conditions;
      if (from === 1 && first && input.warmsUp !== false)
        trials.push(...trialsOf(subject, first, 0));
      const last = Math.min(input.repetitions, from + perRound - 1);
      for (let block = from; block <= last; block++) {
        for (const condition of input.order === 'shuffled'
          ? shuffled(conditions, random)
          : conditions) {
          trials.push(...trialsOf(subject, condition, block));
        }
      }
    }
  }
  return input.order === 'shuffled' ? trials : stackByStack(trials);
}

/**
 * A round has so many blocks of each site and condition, made in the same browsers: each stack once in each place. Fewer rounds would
 * tell less of what browsers differ by.
 */
export function blocksPerRound(arms: number): number {
  return Math.max(2, arms);
}

/** Looks come after whole balanced sets, which are whole rounds, and not after every few loads unless the user of one question waits. */
export function blocksPerLook(arms: number, comparisons: number): number {
  return Math.max(comparisons === 1 ? 2 : 4, blocksPerSet(arms));
}

/** Over so many blocks each stack has each place, and each other one before it, equally often. */
function blocksPerSet(arms: number): number {
  return arms % 2 === 0 ? arms : 2 * arms;
}

/** The order of the stacks in each block of a site under one condition. */
function ordersOf({ arms, repetitions, order }: ScheduleInput, random: Random): string[][] {
  const orders: string[][] = [];
  while (orders.length < repetitions) {
    orders.push(...(order === 'shuffled' ? balancedSet(arms, random) : [[...arms]]));
  }
  return orders.slice(0, repetitions);
}

/**
 * A square in which each item has each place once, and for odd numbers of items its mirror: each item then follows each other one
 * equally often. Which item is which, and the order of the rows, are drawn.
 * Source: Williams 1949, doi:10.1071/CH9490149.
 */
function balancedSet(items: readonly string[], random: Random): string[][] {
  const drawn = shuffled(items, random);
  const count = items.length;
  // 0, 1, n - 1, 2, n - 2 ...: neighbours differ by every number once.
  const first = drawn.map((_, place) =>
    place % 2 === 1 ? (place + 1) / 2 : (count - place / 2) % count,
  );
  const square = drawn.map((_, shift) =>
    first.map((each) => drawn[(each + shift) % count] as string),
  );
  const mirror = square.map((row) => row.toReversed());
  return [
    ...shuffled(square, random),
    ...(count % 2 === 1 && count > 1 ? shuffled(mirror, random) : []),
  ];
}

/** Under each condition of a site all loads of a stack, its warm-up first, then all of the next one. */
function stackByStack(trials: readonly Trial[]): Trial[] {
  const conditions = Map.groupBy(trials, subjectConditionKey);
  return [...conditions.values()].flatMap((found) =>
    [...Map.groupBy(found, ({ arm }) => arm).values()].flat(),
  );
}

type Random = ReturnType<typeof xoroshiro128plus>;

interface Condition {
  network: NetworkCondition;
  factors: Factors;
  /** As ids of trials have it. */
  name: string;
}

function conditionsOf({ networks, factors }: ScheduleInput): Condition[] {
  return networks.flatMap((network) =>
    combinationsOf(factors).map((each) => {
      const name = [network.name, ...unusualIn(variantOf(each))].join('.');
      return { network, factors: each, name };
    }),
  );
}

/** A shuffled copy (Fisher and Yates). */
function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const pick = uniformInt(random, 0, last);
    [copy[last], copy[pick]] = [copy[pick] as T, copy[last] as T];
  }
  return copy;
}
