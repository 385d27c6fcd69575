import { median } from './median.ts';

/** A straight line y = intercept + slope x. */
export interface Line {
  slope: number;
  intercept: number;
}

/**
 * Theil-Sen line through points [x, y]: the slope is the median of the slopes between all pairs of points of
 * different x, the intercept the median of y - slope x. One odd point in four hardly moves it. Null when fewer than
 * two different x.
 * Source: Sen 1968, doi:10.1080/01621459.1968.10480934; SciPy's `theilslopes` with `method='joint'`.
 * @example theilSen([[0, 1], [1, 3], [2, 5]]) // { slope: 2, intercept: 1 }
 */
export function theilSen(points: readonly (readonly [x: number, y: number])[]): Line | null {
  const slopes = points.flatMap(([x, y], index) =>
    points
      .slice(index + 1)
      .filter(([otherX]) => otherX !== x)
      .map(([otherX, otherY]) => (otherY - y) / (otherX - x)),
  );
  const slope = median(slopes);
  if (slope === null) return null;
  return { slope, intercept: median(points.map(([x, y]) => y - slope * x)) as number };
}
