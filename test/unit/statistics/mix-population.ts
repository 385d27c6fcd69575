import type { Stratum } from '../../../statistics/stratified-mean.ts';
import type { Noise } from './noise.ts';

/** Load times of two stacks: log-normal around the page's time, and some loads late by an exponential time. */
export interface LoadShape {
  name: string;
  /** Standard deviations of the logarithms. */
  spreads: readonly [arm: number, baseline: number];
  /** Shares of late loads. */
  late: readonly [arm: number, baseline: number];
  /** Mean lateness as a share of the page's time. */
  lateBy: number;
}

/** One stack has late loads that take twice as long on average: few pairs show none of them. */
export const RARELY_TWICE: LoadShape = {
  name: 'rarely twice as long',
  spreads: [0.1, 0.1],
  late: [0.02, 0.1],
  lateBy: 1,
};

export const LOAD_SHAPES: readonly LoadShape[] = [
  { name: 'both alike', spreads: [0.2, 0.2], late: [0.05, 0.05], lateBy: 0.33 },
  { name: 'one skewed', spreads: [0.15, 0.45], late: [0.02, 0.1], lateBy: 0.33 },
  { name: 'one very skewed', spreads: [0.1, 0.6], late: [0.05, 0.05], lateBy: 0.5 },
];

export const MIXES: readonly (readonly number[])[] = [
  [0.6, 0.3, 0.1],
  [1 / 3, 1 / 3, 1 / 3],
  [0.85, 0.1, 0.05],
  [0.05, 0.1, 0.85],
];

const BASE_MS = [600, 1200, 3000];
/** Of what both loads of a pair share by their network seed. */
const SHARED_SPREAD = 0.2;

/** A population of visits drawn at random with its true mean difference, and a sample of pairs from it, both in ms. */
export function mixSample(
  noise: Noise,
  { spreads, late, lateBy }: LoadShape,
  weights: readonly number[],
  nPairs: number,
): { truth: number; strata: Stratum[] } {
  let truth = 0;
  const strata = weights.map((weight, condition) => {
    const baseMs = (BASE_MS[condition] as number) * noise.logNormal(0.3);
    const means = [baseMs * (0.9 + 0.2 * noise.uniform()), baseMs] as const;
    const load = (side: 0 | 1) =>
      means[side] * noise.logNormal(spreads[side]) +
      (noise.uniform() < late[side] ? means[side] * lateBy * noise.exponential() : 0);
    const expected = (side: 0 | 1) =>
      means[side] * (Math.exp(spreads[side] ** 2 / 2) + late[side] * lateBy);
    truth += weight * Math.exp(SHARED_SPREAD ** 2 / 2) * (expected(0) - expected(1));
    const groups = Array.from({ length: nPairs }, () => {
      const shared = noise.logNormal(SHARED_SPREAD);
      return [shared * (load(0) - load(1))];
    });
    return { weight, groups };
  });
  return { truth, strata };
}
