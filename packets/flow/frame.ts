import { CHART_WIDTH_PX } from '../../kit/charts/canvas.ts';
import { roundStep } from '../../kit/charts/round-step.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { countText } from '../../kit/text/number.ts';

/** Left and right of the charts whose time runs downwards. */
export const AXIS_PX = 46;
/** Above them. */
export const TOP_PX = 62;
/** Of the letters in them, on average. */
export const CHARACTER_PX = 6.6;
export const MOST_TICKS = 12;

/** The axis on the left, with a line at the top and the bottom. */
export function timeAxis({ at, ticksMs }: TimeScale, bottomPx: number): Markup {
  return html`<text class="end" x="${AXIS_PX - 8}" y="${TOP_PX - 8}">ms</text>${ticksMs.map(
    (ms) =>
      html`<text class="end" x="${AXIS_PX - 8}" y="${px(at(ms) + 4)}">${countText(ms)}</text><path class="grid" d="M${AXIS_PX - 4} ${px(at(ms))}h4"/>`,
  )}<path class="grid" d="M${AXIS_PX} ${TOP_PX}V${px(bottomPx)}M${CHART_WIDTH_PX - AXIS_PX} ${TOP_PX}V${px(bottomPx)}"/>`;
}

/** What marks a silence that is drawn shorter than it was. */
export function silence({ at }: TimeScale, [beginMs, endMs]: Span): Markup {
  const middlePx = (at(beginMs) + at(endMs)) / 2;
  return html`<rect class="silence" x="${AXIS_PX - 4}" width="${CHART_WIDTH_PX - 2 * AXIS_PX + 8}" y="${px(middlePx - 7)}" height="14"/><text x="${CHART_WIDTH_PX / 2}" y="${px(middlePx + 4)}">silence of ${countText(Math.round(endMs - beginMs))} ms, cut short</text>`;
}

/** A place in a chart: a tenth of a pixel cannot be seen. */
export function px(value: number): number {
  return Number(value.toFixed(1));
}

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
