import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { OPPORTUNITY_BYTES } from '../../ground/records/trace.ts';

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
/** Share of its deviation from the mean that the logarithm of the rate loses in a step: half in 1.3 s. */
const RETURN = 0.05;
/** Standard deviation of that logarithm: two thirds of the time the rate is within a factor of 2 of its median. */
const SPREAD = 0.7;
/** Probabilities that a step begins or ends a gap without packets, as in a handover: one in 5 s, 300 ms on average. */
const GAP = { begins: 0.02, ends: 1 / 3 };

/**
 * Times at which a packet may leave, in ms. The rate of each step of 100 ms is proportional to exp(x), where x is a
 * mean-reverting walk (a discrete Ornstein-Uhlenbeck process), and 0 in gaps; it is scaled to `meanKbps`.
 */
export function cellularTimesMs({ seed, meanKbps }: CellularLink): number[] {
  const random = createRandom(seed);
  let [x, isGap] = [0, false];
  const rates = Array.from({ length: DURATION_MS / STEP_MS }, () => {
    x = (1 - RETURN) * x + SPREAD * Math.sqrt(1 - (1 - RETURN) ** 2) * normal(random);
    isGap = random() < (isGap ? 1 - GAP.ends : GAP.begins);
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

/** Random numbers from 0 to 1 (Mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A standard normal number, by the Box-Muller transform. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

if (import.meta.main) {
  for (const [name, link] of Object.entries(SYNTHETIC_TRACES)) {
    const text = `${cellularTimesMs(link).join('\n')}\n`;
    writeFileSync(path.join(import.meta.dirname, name), text);
  }
}
