import { findRoot } from './root.ts';

const SERIES_BELOW = 2;
const FRACTION_TERMS = 120;

/**
 * P(Z > z) of the standard normal distribution, to about 1e-13 of its value far into the tail. Up to |z| = 2 from the
 * power series (Abramowitz and Stegun 26.2.11), beyond from the continued fraction (26.2.14).
 */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < SERIES_BELOW) {
    let term = z;
    let sum = z;
    for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
      term *= (z * z) / odd;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = z;
  for (let k = FRACTION_TERMS; k >= 1; k--) fraction = z + k / fraction;
  return density / fraction;
}

/**
 * The z with P(Z <= z) = probability, by bisection of the tail.
 * @throws RangeError when the probability is not between 0 and 1
 */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) {
    throw new RangeError(`probability is ${probability}, expected more than 0 and less than 1`);
  }
  if (probability < 0.5) return -normalQuantile(1 - probability);
  return findRoot((z) => 1 - probability - normalTail(z), 0, 40);
}
