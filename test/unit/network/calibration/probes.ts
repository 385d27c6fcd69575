import { seededPick } from '../../../../statistics/random.ts';

/** Parameters of made-up round trips. */
export interface Series {
  count?: number;
  /** Of a probe without delays; each takes up to 0.1 ms more. */
  rttMs: number;
  /** Each way, evenly spread. */
  jitterMs?: number;
  /** This number of them, at random, is late by a delay in between. */
  lateShare?: number;
  lateMs?: readonly [least: number, most: number];
  seed?: number;
}

/** Made-up probes, the same for the same seed. */
export function probes({
  count = 50,
  rttMs,
  jitterMs = 0,
  lateShare = 0,
  lateMs: [least, most] = [0, 0],
  seed = 1,
}: Series): number[] {
  const pick = seededPick(seed);
  const uniform = () => pick(1e6) / 1e6;
  return Array.from({ length: count }, () => {
    const jitteredMs = jitterMs * (2 * uniform() + 2 * uniform() - 2);
    const lateMs = uniform() < lateShare ? least + (most - least) * uniform() : 0;
    return rttMs + 0.1 * uniform() + jitteredMs + lateMs;
  });
}
