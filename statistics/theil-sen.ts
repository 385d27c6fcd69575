import { quantileInPlace, quantileOfSorted } from './quantile.ts';

/** A straight line y = intercept + slope x. */
export interface Line {
  slope: number;
  intercept: number;
}

/**
 * Theil-Sen line through points [x, y]: the slope is the median of the slopes between all pairs of points of
 * different x, the intercept the median of y - slope x. One odd point in four hardly moves it. Null when fewer than
 * two different x.
 * @param leastApart minimum distance in x of a pair: if x has noise, slopes of closer points are noise
 * Source: Sen 1968, doi:10.1080/01621459.1968.10480934; SciPy's `theilslopes` with `method='joint'`.
 * @example theilSen([[0, 1], [1, 3], [2, 5]]) // { slope: 2, intercept: 1 }
 */
export function theilSen(
  points: readonly (readonly [x: number, y: number])[],
  leastApart = 0,
): Line | null {
  const lineThrough = theilSenOver(
    points.map(([x]) => x),
    leastApart,
  );
  return lineThrough?.(points.map(([, y]) => y)) ?? null;
}

/** theilSen() for many lines with the same x; returns a function of their y, in the order of `xs`. */
export function theilSenOver(
  xs: readonly number[],
  leastApart = 0,
): ((ys: readonly number[]) => Line) | null {
  const firsts: number[] = [];
  const seconds: number[] = [];
  for (let first = 0; first < xs.length; first++) {
    for (let second = first + 1; second < xs.length; second++) {
      const apart = Math.abs((xs[first] as number) - (xs[second] as number));
      if (apart === 0 || apart < leastApart) continue;
      firsts.push(first);
      seconds.push(second);
    }
  }
  if (firsts.length === 0) return null;
  const slopes = new Float64Array(firsts.length);
  const intercepts = new Float64Array(xs.length);
  return (ys) => {
    for (let pair = 0; pair < slopes.length; pair++) {
      const [first, second] = [firsts[pair] as number, seconds[pair] as number];
      const rise = (ys[second] as number) - (ys[first] as number);
      slopes[pair] = rise / ((xs[second] as number) - (xs[first] as number));
    }
    const slope = medianInPlace(slopes);
    for (let i = 0; i < intercepts.length; i++) {
      intercepts[i] = (ys[i] as number) - slope * (xs[i] as number);
    }
    return { slope, intercept: medianInPlace(intercepts) };
  };
}

/** Fewer values are sorted faster than two of them are selected. */
const FEW = 24;

/** Median of at least one value; reorders them. */
function medianInPlace(values: Float64Array): number {
  if (values.length >= FEW) return quantileInPlace(values, 0.5);
  for (let end = 1; end < values.length; end++) {
    const value = values[end] as number;
    let at = end;
    for (; at > 0 && (values[at - 1] as number) > value; at--)
      values[at] = values[at - 1] as number;
    values[at] = value;
  }
  return quantileOfSorted(values, 0.5) as number;
}
