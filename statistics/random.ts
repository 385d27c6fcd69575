import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Gives a whole number from 0 to `count` - 1, each equally often. */
export type PickIndex = (count: number) => number;

/** Discarded: the generator's first outputs are almost the seed itself. */
const OUTPUTS_PASSED_OVER = 32;

/**
 * A picker of random indices that gives the same sequence for the same seed. One output of 32 bits for each pick,
 * scaled and cut: for a count of 1,000 the most and the least frequent index differ by less than one in a million.
 * @throws RangeError when the seed is not a whole number
 */
export function seededPick(seed: number): PickIndex {
  if (!Number.isSafeInteger(seed)) {
    throw new RangeError(`seed is ${seed}, expected a whole number`);
  }
  const generator = xoroshiro128plus(seed);
  for (let passed = 0; passed < OUTPUTS_PASSED_OVER; passed++) generator.next();
  return (count) => Math.floor(((generator.next() >>> 0) / 2 ** 32) * count);
}
