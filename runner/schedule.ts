import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { AskedNetwork } from '../records/network.ts';
import type { VisitKind } from '../records/page-load.ts';
import type { Trial } from '../records/run.ts';

/** What a schedule is made from. */
export interface ScheduleInput {
  sites: readonly string[];
  stacks: readonly string[];
  networks: readonly AskedNetwork[];
  visits: readonly VisitKind[];
  repetitions: number;
  seed: number;
}

const MOST_SEED = 2 ** 31 - 1;

/**
 * Every page load of a run in its order. For each site: one warm-up of every stack, then for each
 * network condition and kind of visit one block for each repetition with every stack once, in an order shuffled by the
 * seed. Slow drift of the machine then meets all stacks alike. Stacks of a block share the seed of
 * the network's losses. The same input gives the same schedule.
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
  return blocks.flatMap(({ site, network, visit, block }) => {
    const networkSeed = uniformInt(random, 1, MOST_SEED);
    const condition = visit === 'cold' ? network.name : `${network.name}.${visit}`;
    return shuffled(input.stacks, random).map((stack) => ({
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
