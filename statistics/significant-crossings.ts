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
 * Where estimates that are surely on one side of 0, by their intervals, are followed by ones that are surely on the other side.
 * Between neighbours, estimates and the ends of intervals are taken to lie on straight lines: x is where that of the estimates crosses 0 for the last
 * time, and low to high is where the intervals hold 0. Where the truth lies on such lines too, that stretch holds the true place as often as an interval holds the truth: it is
 * the set of places that the intervals do not rule out (Fieller 1954, doi:10.1111/j.2517-6161.1954.tb00159.x).
 * @param estimates rising by x
 * @example sureCrossings([{ x: 1, estimate: -1, low: -2, high: -0.5 }, { x: 3, estimate: 1, low: 0.5, high: 2 }])
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
    // What leaves 0 out before is the end next to 0; afterwards it is the other one.
    const [leaving, arriving] = sign < 0 ? (['high', 'low'] as const) : (['low', 'high'] as const);
    const [from, second = from] = stretch;
    const [beforeLast, to = beforeLast] = stretch.slice(-2);
    if (!from || !second || !beforeLast || !to) return [];
    return [
      {
        x: lastZero(stretch),
        low: zeroBetween(
          { x: from.x, y: from[leaving] ?? 0 },
          // Without an interval nothing is ruled out, right from the place before on.
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
