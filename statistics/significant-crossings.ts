/** An estimate at x, with its interval; both ends null: no interval. */
export interface EstimateAt {
  x: number;
  estimate: number;
  low: number | null;
  high: number | null;
}

interface SignificantCrossing {
  x: number;
  /** The stretch around it in which the intervals hold 0. */
  low: number;
  high: number;
  /** The sign at smaller x. */
  before: -1 | 1;
}

/**
 * Where estimates with intervals on one side of 0 are followed by estimates with intervals on the other side. Between
 * neighbours, estimates and interval ends are interpolated linearly: x is the last zero of the estimates, and the
 * intervals contain 0 from low to high. If the truth is linear between neighbours too, this stretch contains the true
 * crossing as often as an interval contains the truth: it is the set of places that the intervals do not exclude
 * (Fieller 1954, doi:10.1111/j.2517-6161.1954.tb00159.x).
 * @param estimates rising by x
 * @example significantCrossings([{ x: 1, estimate: -1, low: -2, high: -0.5 }, { x: 3, estimate: 1, low: 0.5, high: 2 }])
 *   // [{ x: 2, low: 1.4, high: 2.6, before: -1 }]
 */
export function significantCrossings(estimates: readonly EstimateAt[]): SignificantCrossing[] {
  const significant = estimates.flatMap((each, place) => {
    const sign = significantSign(each);
    return sign === 0 ? [] : [{ place, sign }];
  });
  return significant.flatMap(({ place, sign }, index) => {
    const next = significant[index + 1];
    if (!next || next.sign === sign) return [];
    const stretch = estimates.slice(place, next.place + 1);
    // The ends of intervals next to 0, before and after the crossing.
    const [leaving, arriving] = sign < 0 ? (['high', 'low'] as const) : (['low', 'high'] as const);
    const [from, second = from] = stretch;
    const [beforeLast, to = beforeLast] = stretch.slice(-2);
    if (!from || !second || !beforeLast || !to) return [];
    return [
      {
        x: lastZero(stretch),
        low: zeroBetween(
          { x: from.x, y: from[leaving] ?? 0 },
          // Without an interval nothing is excluded, directly after the estimate before it.
          { x: second.x, y: second[leaving] ?? -sign * Number.POSITIVE_INFINITY },
        ),
        high: zeroBetween(
          { x: to.x, y: to[arriving] ?? 0 },
          { x: beforeLast.x, y: beforeLast[arriving] ?? sign * Number.POSITIVE_INFINITY },
        ),
        before: sign,
      },
    ];
  });
}

/** Sign of the whole interval; 0: it contains 0, or there is no interval. */
export function significantSign({ low, high }: Pick<EstimateAt, 'low' | 'high'>): -1 | 0 | 1 {
  if (low !== null && low > 0) return 1;
  return high !== null && high < 0 ? -1 : 0;
}

interface Point {
  x: number;
  y: number;
}

/** Where the line from a point to one on the other side of 0 crosses it. */
function zeroBetween(from: Point, to: Point): number {
  return Number.isFinite(to.y) ? from.x + ((to.x - from.x) * from.y) / (from.y - to.y) : from.x;
}

function lastZero(stretch: readonly EstimateAt[]): number {
  const points = stretch.map(({ x, estimate }) => ({ x, y: estimate })).toReversed();
  const [end] = points;
  const index = points.findIndex(({ y }) => Math.sign(y) !== Math.sign(end?.y ?? 0));
  const [to, from] = [points[index], points[index - 1]];
  return from && to ? zeroBetween(from, to) : Number.NaN;
}
