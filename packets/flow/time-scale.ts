import { roundStep } from '../../kit/charts/round-step.ts';

/** Where moments stand on an axis in time. */
export interface TimeScale {
  /** Place of a moment, in pixels. */
  at(ms: number): number;
  ticksMs: number[];
  /** Silences that are drawn shorter than they were. */
  breaks: Span[];
  endMs: number;
}

export type Span = readonly [beginMs: number, endMs: number];

/** A silence that takes more of the axis than this is cut short, to this share of what is left. */
const LONGEST_SILENCE = 1 / 3;
const BREAK_SHARE = 0.06;

/**
 * An axis from 0 ms on.
 * @param busy when something was on its way
 * @param mostTicks so many labels fit
 */
export function timeScale(
  endMs: number,
  busy: readonly Span[],
  [fromPx, toPx]: readonly [number, number],
  mostTicks: number,
): TimeScale {
  const breaks = silences(busy.filter(([begin]) => begin < endMs)).filter(
    ([begin, end]) => end - begin > endMs * LONGEST_SILENCE,
  );
  const silentMs = breaks.reduce((sum, [begin, end]) => sum + end - begin, 0);
  const breakMs = (endMs - silentMs) * BREAK_SHARE;
  /** Moments with the silences cut. */
  const shown = (ms: number) =>
    breaks.reduce((at, [begin, end]) => {
      if (ms <= begin) return at;
      const share = Math.min(1, (ms - begin) / (end - begin));
      return at - share * (end - begin - breakMs);
    }, ms);
  const wholeMs = shown(endMs) || 1;
  const stepMs = roundStep(wholeMs / mostTicks);
  return {
    at: (ms) => fromPx + ((toPx - fromPx) * shown(ms)) / wholeMs,
    ticksMs: multiplesOf(stepMs, { endMs, breaks }).map((n) => n * stepMs),
    breaks,
    endMs,
  };
}

/** Which multiples of a step are on an axis and in no break: a silence may be a million times as long as all that was said. */
export function multiplesOf(
  stepMs: number,
  { endMs, breaks }: Pick<TimeScale, 'endMs' | 'breaks'>,
): number[] {
  const found: number[] = [];
  for (let n = 0; n * stepMs <= endMs; ) {
    const silence = breaks.find(([begin, end]) => n * stepMs > begin && n * stepMs < end);
    if (silence === undefined) found.push(n);
    n = silence === undefined ? n + 1 : Math.max(n + 1, Math.ceil(silence[1] / stepMs));
  }
  return found;
}

function silences(busy: readonly Span[]): Span[] {
  const found: Span[] = [];
  let lastMs = Number.POSITIVE_INFINITY;
  for (const [begin, end] of busy.toSorted((a, b) => a[0] - b[0])) {
    if (begin > lastMs) found.push([lastMs, begin]);
    lastMs = Math.max(lastMs === Number.POSITIVE_INFINITY ? end : lastMs, end);
  }
  return found;
}
