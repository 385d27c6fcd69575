import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Trial } from '../records/run.ts';
import { LOOPBACK_NETWORK } from './network/loopback.ts';

/** What a schedule is made from. */
export interface ScheduleInput {
  sites: readonly string[];
  stacks: readonly string[];
  repetitions: number;
  seed: number;
}

/**
 * Every page load of a run in its order. For each site: one warm-up of every stack, then one block
 * for each repetition with every stack once, in an order shuffled by the seed. Slow drift of the
 * machine then meets all stacks alike. The same input gives the same schedule.
 */
export function makeSchedule({ sites, stacks, repetitions, seed }: ScheduleInput): Trial[] {
  const random = xoroshiro128plus(seed);
  const trials: Trial[] = [];
  for (const site of sites) {
    for (let block = 0; block <= repetitions; block++) {
      for (const stack of shuffled(stacks, random)) {
        trials.push({
          id: `${site}.${stack}.${block === 0 ? 'warm-up' : block}`,
          site,
          stack,
          network: LOOPBACK_NETWORK,
          repetition: block,
          block,
          warmup: block === 0,
          visit: 'cold',
        });
      }
    }
  }
  return trials;
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
