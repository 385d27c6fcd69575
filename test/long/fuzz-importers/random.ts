import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Choices that are the same for the same seed, on every machine. */
export interface Choices {
  /** A whole number from 0 to `below` - 1. */
  number: (below: number) => number;
  /** True in `percent` of 100. */
  chance: (percent: number) => boolean;
  pick: <T>(from: readonly T[]) => T;
  bytes: (length: number) => Buffer;
}

/**
 * The choices of one input, by the seed of the run and the input's number: each input can be made
 * separately.
 */
export function choicesOf(seed: number, input: number): Choices {
  const generator = xoroshiro128plus((seed * 0x9e3779b1 + input * 0x85ebca6b) | 0);
  // Nearby seeds give nearby first numbers.
  for (let skipped = 0; skipped < 8; skipped++) generator.next();
  const number = (below: number) => (generator.next() >>> 0) % below;
  return {
    number,
    chance: (percent) => number(100) < percent,
    pick: (from) => from[number(from.length)] as (typeof from)[number],
    bytes: (length) => Buffer.from(Array.from({ length }, () => generator.next() & 0xff)),
  };
}
