import { tTails } from './t-distribution.ts';

export type Point = readonly [x: number, y: number];

interface StratifiedSlope {
  slope: number;
  /** Its standard error. */
  error: number;
  degreesOfFreedom: number;
  /** Two-sided, of a slope of 0. */
  p: number;
}

/** A smaller share of the squares is a rounding error of constant numbers. */
const ROUNDING = 1e-20;

/**
 * The common slope of y over x within strata, each with a level of its own: analysis of covariance. Differences between
 * strata, such as pages and browsers, affect neither the slope nor its error. Null if the error cannot be estimated: no
 * stratum has two values of x, or all y lie on the lines.
 * Source: Snedecor and Cochran 1989, Statistical Methods (8th ed.), section 18.2.
 * @example stratifiedSlope([[[0, 1], [1, 2], [2, 2]], [[0, 8], [1, 7], [2, 9]]]) // 0.5 per unit of x
 */
export function stratifiedSlope(strata: readonly (readonly Point[])[]): StratifiedSlope | null {
  let xx = 0;
  let xy = 0;
  let yy = 0;
  let squares = 0;
  let degreesOfFreedom = -1;
  for (const points of strata) {
    const meanOf = (axis: 0 | 1) =>
      points.reduce((sum, point) => sum + point[axis], 0) / points.length;
    const [meanX, meanY] = [meanOf(0), meanOf(1)];
    for (const [x, y] of points) {
      xx += (x - meanX) ** 2;
      xy += (x - meanX) * (y - meanY);
      yy += (y - meanY) ** 2;
      squares += y ** 2;
    }
    degreesOfFreedom += Math.max(0, points.length - 1);
  }
  if (xx === 0 || degreesOfFreedom < 1) return null;
  const slope = xy / xx;
  const residual = yy - slope * xy;
  if (residual <= ROUNDING * squares) return null;
  const error = Math.sqrt(residual / degreesOfFreedom / xx);
  return { slope, error, degreesOfFreedom, p: tTails(Math.abs(slope) / error, degreesOfFreedom) };
}
