import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { unusualIn } from '../experiments/index.ts';
import { subjectConditionKey } from '../ground/records/cell.ts';
import { combinationsOf, type Factors, variantOf } from '../ground/records/factors.ts';
import type { NetworkCondition } from '../ground/records/network.ts';
import { BOUNDS } from '../ground/records/ranges.ts';
import type { RunChoices, Trial } from '../ground/records/run.ts';
import { isOwnArm, type Stack } from '../ground/stack.ts';

export interface ScheduleInput {
  subjects: readonly string[];
  arms: readonly string[];
  /** Stacks of a subject; absent: every subject has all. */
  armsOf?: (subject: string) => readonly string[];
  networks: readonly NetworkCondition[];
  /** Name of a factor to its values. */
  factors: Readonly<Record<string, readonly string[]>>;
  repetitions: number;
  /** Shuffled: stacks take turns; sequential: stack by stack. */
  order: RunChoices['order'];
  seed: number;
  /** Blocks of each condition of a subject before the next subject's turn; absent: enough to balance positions. */
  blocksPerRound?: number;
  /** Default: true. */
  warmsUp?: boolean;
  /** Filmed loads of each arm under each condition. Default: 0. */
  filmedLoads?: number;
}

/**
 * Orders all page loads of a run. A shuffled schedule has rounds: for each site in turn, some blocks of every network condition and
 * kind of visit, interleaved. A block has every stack once. Over the blocks of a balanced set, each stack has each position equally
 * often, and follows each other stack equally often. Slow drift of the machine then affects stacks, conditions and sites alike. Stacks
 * of a block share the seed of packet loss. Each site begins with one warm-up of every stack, and then
 * has its filmed loads, which change nothing else. A sequential schedule goes stack by
 * stack, as in many published measurements. The same input gives the same schedule.
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
      // Once for each site: the servers are the same under all conditions.
      const [first] = conditions;
      if (from === 1 && first && input.warmsUp !== false)
        trials.push(...trialsOf(subject, first, 0));
      if (from === 1) trials.push(...filmedTrials(subject, conditions, input));
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

/** Filmed loads of a subject, in balanced blocks with random numbers of their own. */
function filmedTrials(
  subject: string,
  conditions: readonly Condition[],
  { filmedLoads = 0, seed, ...input }: ScheduleInput,
): Trial[] {
  const random = xoroshiro128plus(seed + 1);
  const arms = input.armsOf?.(subject) ?? input.arms;
  return conditions.flatMap(({ network, factors, name }) =>
    ordersOf({ ...input, seed, arms, repetitions: filmedLoads }, random).flatMap((order, index) => {
      const networkSeed = uniformInt(random, 1, BOUNDS.seed[1]);
      return order.map((arm) => ({
        id: `${subject}.${name}.${arm}.film-${index + 1}`,
        subject,
        arm,
        network,
        networkSeed,
        repetition: index + 1,
        block: 0,
        warmup: true,
        filmed: true,
        factors,
      }));
    }),
  );
}

/**
 * Blocks of each site and condition in a round, made in the same browsers: each stack has each position once. Fewer rounds would
 * estimate the variance between browsers less precisely.
 */
export function blocksPerRound(arms: number): number {
  return Math.max(2, arms);
}

/** The same for arms of which some only explain the results of the rest: enough rounds for the variance between browsers. */
export function blocksPerRoundOf(stacks: readonly Stack[]): number {
  return stacks.every(isOwnArm) ? blocksPerRound(stacks.length) : EXPLAINED_BLOCKS_PER_ROUND;
}

const EXPLAINED_BLOCKS_PER_ROUND = 3;

/** Looks come after balanced sets, which are whole rounds; more often only for a single question, whose user waits. */
export function blocksPerLook(arms: number, comparisons: number): number {
  return Math.max(comparisons === 1 ? 2 : 4, blocksPerSet(arms));
}

/** Blocks in which each stack has each position, and follows each other stack, equally often. */
function blocksPerSet(arms: number): number {
  return arms % 2 === 0 ? arms : 2 * arms;
}

/** Order of the stacks in each block of a site under one condition. */
function ordersOf({ arms, repetitions, order }: ScheduleInput, random: Random): string[][] {
  const orders: string[][] = [];
  while (orders.length < repetitions) {
    orders.push(...(order === 'shuffled' ? balancedSet(arms, random) : [[...arms]]));
  }
  return orders.slice(0, repetitions);
}

/**
 * A Williams square: each item has each position once, and follows each other item equally often; odd numbers of items also need its
 * mirror. The assignment of items and the order of rows are random.
 * Source: Williams 1949, doi:10.1071/CH9490149.
 */
function balancedSet(items: readonly string[], random: Random): string[][] {
  const drawn = shuffled(items, random);
  const count = items.length;
  // 0, 1, n - 1, 2, n - 2 ...: differences of neighbours are all distinct.
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

/** Under each condition of a site, all loads of a stack after its warm-up, then those of the next stack. */
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
  /** In the form of trial ids. */
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

/** Fisher-Yates shuffle. */
function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const pick = uniformInt(random, 0, last);
    [copy[last], copy[pick]] = [copy[pick] as T, copy[last] as T];
  }
  return copy;
}
