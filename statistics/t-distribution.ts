import { findRoot } from './root.ts';

/**
 * P(T <= t) of Student's t, for t >= 0 and whole degrees of freedom: the finite sums of Abramowitz and Stegun
 * 26.7.3-4.
 */
function tProbability(t: number, degreesOfFreedom: number): number {
  const angle = Math.atan2(t, Math.sqrt(degreesOfFreedom));
  const sine = Math.sin(angle);
  const cosine = Math.cos(angle);
  const odd = degreesOfFreedom % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = degreesOfFreedom > 1 ? term : 0;
  for (let k = odd ? 3 : 2; k < degreesOfFreedom; k += 2) {
    term *= ((k - 1) / k) * cosine * cosine;
    sum += term;
  }
  const central = odd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
  return 0.5 + central / 2;
}

/** P(|T| >= t), for t >= 0 and whole degrees of freedom. */
export function tTails(t: number, degreesOfFreedom: number): number {
  return 2 * (1 - tProbability(t, degreesOfFreedom));
}

/**
 * The t with P(T <= t) = probability, by bisection.
 * @throws RangeError when the probability is not between 0.5 and 1, or the degrees of freedom are not a whole number
 *   of at least 1
 */
export function tQuantile(probability: number, degreesOfFreedom: number): number {
  if (!(probability >= 0.5 && probability < 1)) {
    throw new RangeError(`probability is ${probability}, expected at least 0.5 and less than 1`);
  }
  if (!Number.isSafeInteger(degreesOfFreedom) || degreesOfFreedom < 1) {
    throw new RangeError(`degreesOfFreedom is ${degreesOfFreedom}, expected 1, 2, 3, ...`);
  }
  if (probability === 0.5) return 0;
  return findRoot((t) => tProbability(t, degreesOfFreedom) - probability, 0, 1e9);
}
