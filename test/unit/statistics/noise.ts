import { seededPick } from '../../../statistics/random.ts';

/** A seeded source of noise of several shapes. */
export interface Noise {
  /** From 0 to 1, neither included. */
  uniform(): number;
  /** Mean 0, standard deviation 1. */
  normal(): number;
  /** e to the power of a normal number with this standard deviation. */
  logNormal(standardDeviation: number): number;
  /** Mean 1, skewed to the right. */
  exponential(): number;
  /** Student's t with 2 degrees of freedom: tails so heavy that it has no variance. */
  heavyTailed(): number;
}

/** Noise that is the same for the same seed. */
export function noiseOf(seed: number): Noise {
  const pick = seededPick(seed);
  const uniform = () => (pick(2 ** 32) + 0.5) / 2 ** 32;
  // Box and Muller's cosine half.
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const exponential = () => -Math.log(uniform());
  return {
    uniform,
    normal,
    exponential,
    logNormal: (standardDeviation) => Math.exp(standardDeviation * normal()),
    heavyTailed: () => normal() / Math.sqrt(exponential()),
  };
}
