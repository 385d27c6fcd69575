/** A monotonic count, known at some times. */
export interface CumulativeCount {
  /** Interpolates linearly; constant before the first and after the last time. */
  at(atMs: number): number;
  between(fromMs: number, toMs: number): number;
}

/** @param points in the order of time */
export function cumulativeCount(
  points: readonly { atMs: number; count: number }[],
): CumulativeCount {
  const at = (atMs: number) => {
    const next = firstAfter(points, atMs);
    const [before, after] = [points[next - 1], points[next]];
    if (before === undefined || after === undefined) return (after ?? before)?.count ?? 0;
    const share = (atMs - before.atMs) / (after.atMs - before.atMs);
    return before.count + share * (after.count - before.count);
  };
  return { at, between: (fromMs, toMs) => at(toMs) - at(fromMs) };
}

/** Index of the first point after a time; the number of points if all are before. */
function firstAfter(points: readonly { atMs: number }[], atMs: number): number {
  let [from, until] = [0, points.length];
  while (from < until) {
    const middle = (from + until) >> 1;
    if ((points[middle]?.atMs ?? 0) <= atMs) from = middle + 1;
    else until = middle;
  }
  return from;
}

export function accumulate<Step extends { atMs: number; forMs: number }>(
  steps: readonly Step[],
  countOf: (step: Step) => number,
): CumulativeCount {
  let count = 0;
  const first = steps[0];
  const points = steps.map((step) => {
    count += countOf(step);
    return { atMs: step.atMs + step.forMs, count };
  });
  return cumulativeCount(first === undefined ? [] : [{ atMs: first.atMs, count: 0 }, ...points]);
}
