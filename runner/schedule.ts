import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { AskedNetwork } from '../records/network.ts';
import type { VisitKind } from '../records/page-load.ts';
import type { RunChoices, Trial } from '../records/run.ts';

/** What a schedule is made from. */
export interface ScheduleInput {
  sites: readonly string[];
  stacks: readonly string[];
  networks: readonly AskedNetwork[];
  visits: readonly VisitKind[];
  repetitions: number;
  /** Whether stacks take turns, or one comes after the other. */
  order: RunChoices['order'];
  seed: number;
}

const MOST_SEED = 2 ** 31 - 1;

/**
 * Every page load of a run in its order. In a shuffled one, for each site: one warm-up of every stack, then for each
 * network condition and kind of visit one block for each repetition with every stack once, in an order shuffled by the
 * seed. Slow drift of the machine then meets all stacks alike. Stacks of a block share the seed of
 * the network's losses. A sequential one is as many published ones are: stack by stack. The same input gives the same schedule.
 */
export function makeSchedule(input: ScheduleInput): Trial[] {
  const random = xoroshiro128plus(input.seed);
  const blocks = input.sites.flatMap((site) =>
    conditionsOf(input).flatMap(({ network, visit }, index) =>
      Array.from({ length: input.repetitions + 1 }, (_, block) => ({ site, network, visit, block }))
        // Warm-ups come once for each site: the servers are the same in all conditions.
        .filter(({ block }) => block > 0 || index === 0),
    ),
  );
  const trials = blocks.flatMap(({ site, network, visit, block }) => {
    const networkSeed = uniformInt(random, 1, MOST_SEED);
    const condition = visit === 'cold' ? network.name : `${network.name}.${visit}`;
    const stacks = input.order === 'shuffled' ? shuffled(input.stacks, random) : input.stacks;
    return stacks.map((stack) => ({
      id: `${site}.${condition}.${stack}.${block === 0 ? 'warm-up' : block}`,
      site,
      stack,
      network,
      networkSeed,
      repetition: block,
      block,
      warmup: block === 0,
      visit,
    }));
  });
  return input.order === 'shuffled' ? trials : stackByStack(trials);
}

/** Under each condition of a site all loads of a stack, its warm-up first, then all of the next one. */
function stackByStack(trials: readonly Trial[]): Trial[] {
  const conditions = Map.groupBy(trials, ({ site, network, visit }) =>
    JSON.stringify([site, network.name, visit]),
  );
  return [...conditions.values()].flatMap((found) =>
    [...Map.groupBy(found, ({ stack }) => stack).values()].flat(),
  );
}

/** Network by network, so that the path is measured and set once for all visits over it. */
function conditionsOf({ networks, visits }: ScheduleInput) {
  return networks.flatMap((network) => visits.map((visit) => ({ network, visit })));
}

/** A shuffled copy (Fisher and Yates). */
function shuffled<T>(items: readonly T[], random: ReturnType<typeof xoroshiro128plus>): T[] {
  const copy = [...items];
  for (let last = copy.length - 1; last > 0; last--) {
    const pick = uniformInt(random, 0, last);
    [copy[last], copy[pick]] = [copy[pick] as T, copy[last] as T];
  }
  return copy;
}
