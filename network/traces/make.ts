import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { OPPORTUNITY_BYTES } from '../../ground/records/trace.ts';

/** What a made-up cellular link is like. */
interface CellularLink {
  seed: number;
  meanKbps: number;
}

export const SYNTHETIC_TRACES: Readonly<Record<string, CellularLink>> = {
  'cellular.down': { seed: 1, meanKbps: 6_000 },
  'cellular.up': { seed: 2, meanKbps: 1_500 },
};

const DURATION_MS = 30_000;
const STEP_MS = 100;
/** Part of the way that the logarithm of the rate goes back to its mean in a step: half of it in 1.3 s. */
const RETURN = 0.05;
/** Standard deviation of that logarithm over all the time: two of three seconds are within a factor of 2 of the median. */
const SPREAD = 0.7;
/** Chances of a step to begin a gap in which nothing is carried, as in a handover, and to end it: one in 5 s, of 300 ms on average. */
const GAP = { begins: 0.02, ends: 1 / 3 };

/**
 * When packets may leave, in ms. In each step of 100 ms the rate is `exp(x)` of its median, x being a mean-reverting walk
 * (Ornstein and Uhlenbeck's, as an autoregressive series), and nothing in gaps; all of it is scaled to the mean.
 */
export function cellularTimesMs({ seed, meanKbps }: CellularLink): number[] {
  const chance = chances(seed);
  let [x, isGap] = [0, false];
  const rates = Array.from({ length: DURATION_MS / STEP_MS }, () => {
    x = (1 - RETURN) * x + SPREAD * Math.sqrt(1 - (1 - RETURN) ** 2) * normal(chance);
    isGap = chance() < (isGap ? 1 - GAP.ends : GAP.begins);
    return isGap ? 0 : Math.exp(x);
  });
  const perKbps = (rates.length * meanKbps) / rates.reduce((sum, rate) => sum + rate, 0);
  const times: number[] = [];
  let waitingBytes = 0;
  for (let ms = 1; ms <= DURATION_MS; ms++) {
    // kbit/s are bits per ms.
    waitingBytes += ((rates[Math.ceil(ms / STEP_MS) - 1] ?? 0) * perKbps) / 8;
    for (; waitingBytes >= OPPORTUNITY_BYTES; waitingBytes -= OPPORTUNITY_BYTES) times.push(ms);
  }
  return times;
}

/** Chances of 0 to 1, by Mulberry32. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Box and Muller's transformation. */
function normal(chance: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

if (import.meta.main) {
  for (const [name, link] of Object.entries(SYNTHETIC_TRACES)) {
    const text = `${cellularTimesMs(link).join('\n')}\n`;
    writeFileSync(path.join(import.meta.dirname, name), text);
  }
}
