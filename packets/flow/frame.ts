import { roundStep } from '../../kit/charts/axis.ts';
import { CHART_WIDTH_PX } from '../../kit/charts/canvas.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { countText } from '../../kit/text/number.ts';
import { type FlowStep, isSmall, stepText } from './sequence.ts';

/** Margins of the charts with time downwards, left and right. */
export const AXIS_PX = 46;
export const TOP_PX = 62;
/** Average width of a letter in the charts. */
export const CHARACTER_PX = 6.6;
export const MAX_TICKS = 12;

/** The axis on the left, with lines at the top and the bottom. */
export function timeAxis({ at, ticksMs }: TimeScale, bottomPx: number): Markup {
  return html`<text class="end" x="${AXIS_PX - 8}" y="${TOP_PX - 8}">ms</text>${ticksMs.map(
    (ms) =>
      html`<text class="end" x="${AXIS_PX - 8}" y="${px(at(ms) + 4)}">${countText(ms)}</text><path class="grid" d="M${AXIS_PX - 4} ${px(at(ms))}h4"/>`,
  )}<path class="grid" d="M${AXIS_PX} ${TOP_PX}V${px(bottomPx)}M${CHART_WIDTH_PX - AXIS_PX} ${TOP_PX}V${px(bottomPx)}"/>`;
}

/** Marks a shortened silence. */
export function silence({ at }: TimeScale, [beginMs, endMs]: Span): Markup {
  const middlePx = (at(beginMs) + at(endMs)) / 2;
  return html`<rect class="silence" x="${AXIS_PX - 4}" width="${CHART_WIDTH_PX - 2 * AXIS_PX + 8}" y="${px(middlePx - 7)}" height="14"/><text x="${CHART_WIDTH_PX / 2}" y="${px(middlePx + 4)}">silence of ${countText(Math.round(endMs - beginMs))} ms, cut short</text>`;
}

/** Pixels, rounded to an invisible error. */
export function px(value: number): number {
  return Number(value.toFixed(1));
}

export interface TimeScale {
  /** Position of a time, in pixels. */
  at(ms: number): number;
  ticksMs: number[];
  /** Shortened silences. */
  breaks: Span[];
  endMs: number;
}

type Span = readonly [beginMs: number, endMs: number];

/** Silences longer than this share of the axis are shortened to it. */
const LONGEST_SILENCE = 1 / 3;
const BREAK_SHARE = 0.06;

/**
 * An axis from 0 ms on.
 * @param busy periods with packets in flight
 * @param maxTicks maximum number of labels
 */
export function timeScale(
  endMs: number,
  busy: readonly Span[],
  [fromPx, toPx]: readonly [number, number],
  maxTicks: number,
): TimeScale {
  const breaks = silences(busy.filter(([begin]) => begin < endMs)).filter(
    ([begin, end]) => end - begin > endMs * LONGEST_SILENCE,
  );
  const silentMs = breaks.reduce((sum, [begin, end]) => sum + end - begin, 0);
  const breakMs = (endMs - silentMs) * BREAK_SHARE;
  /** Converts times, with silences shortened. */
  const shown = (ms: number) =>
    breaks.reduce((at, [begin, end]) => {
      if (ms <= begin) return at;
      const share = Math.min(1, (ms - begin) / (end - begin));
      return at - share * (end - begin - breakMs);
    }, ms);
  const wholeMs = shown(endMs) || 1;
  const stepMs = roundStep(wholeMs / maxTicks);
  return {
    at: (ms) => fromPx + ((toPx - fromPx) * shown(ms)) / wholeMs,
    ticksMs: multiplesOf(stepMs, { endMs, breaks }).map((n) => n * stepMs),
    breaks,
    endMs,
  };
}

/** Multiples of a step on an axis, outside of silences, which may be a million times longer than the rest. */
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

/** Two lifelines and their time scale. */
export interface Lifelines {
  clientPx: number;
  serverPx: number;
  /** Height of a time, in pixels; the time in ms, as in steps. */
  at(ms: number): number;
  oneWayMs: number;
}

/** CSS for arrows(). */
export const ARROW_STYLE = `
.flow .handshake { stroke: var(--ink); }
.flow .request { stroke: var(--stack); stroke-width: 1.8; }
.flow .data { stroke: var(--stack); }
.flow .band { fill: var(--stack); fill-opacity: 0.28; stroke: none; }
.flow .close { stroke: var(--ink); stroke-dasharray: 1 3; }
.flow .small { stroke: var(--quiet); stroke-opacity: 0.55; stroke-width: 0.7; }
.flow .small.band { fill: var(--quiet); fill-opacity: 0.14; }
.flow .lost, .flow .resent { stroke: var(--verdict-slower); stroke-width: 1.6; }
.flow .resent { stroke-dasharray: 5 3; }
.flow .resent.band { fill: var(--verdict-slower); }
.flow path { fill: none; stroke-width: 1.4; }
.flow .head { fill: var(--stack); stroke: none; }
.flow .handshake.head, .flow .close.head { fill: var(--ink); }
.flow .resent.head { fill: var(--verdict-slower); }
.flow .lifeline { stroke: var(--quiet); stroke-width: 1.5; }
`;

/** Period of a step in flight, at either end. */
export function spanOf({ direction, beginMs, endMs }: FlowStep, oneWayMs: number): Span {
  return direction === 'toServer' ? [beginMs, endMs + oneWayMs] : [beginMs - oneWayMs, endMs];
}

/** Height at which a step leaves its sender. */
export function leavesPx({ direction, beginMs }: FlowStep, { at, oneWayMs }: Lifelines): number {
  return at(direction === 'toServer' ? beginMs : beginMs - oneWayMs);
}

/** Steps as arrows; the most important are drawn last, on top. */
export function arrows(steps: readonly FlowStep[], lifelines: Lifelines): Markup[] {
  const heightOf = ({ fate, kind }: FlowStep) => (fate !== 'arrived' ? 2 : isSmall(kind) ? 0 : 1);
  return steps.toSorted((a, b) => heightOf(a) - heightOf(b)).map((step) => arrow(step, lifelines));
}

/** A step as an arrow, or as a band from its first packet to its last; a lost one ends half-way with a cross. */
function arrow(step: FlowStep, lifelines: Lifelines): Markup {
  const { clientPx, serverPx, at, oneWayMs } = lifelines;
  const { direction, fate, kind, beginMs, endMs } = step;
  const [fromPx, toPx] = direction === 'toServer' ? [clientPx, serverPx] : [serverPx, clientPx];
  const leaveMs = direction === 'toServer' ? 0 : -oneWayMs;
  const isLost = fate === 'lost';
  const reach = isLost ? 0.5 : 1;
  const line = (ms: number): Line => [
    fromPx,
    at(ms + leaveMs),
    fromPx + (toPx - fromPx) * reach,
    at(ms + leaveMs + oneWayMs * reach),
  ];
  const small = isSmall(kind) && !isLost;
  const name = small ? 'small' : fate === 'arrived' ? kind : fate;
  const [first, last] = [line(beginMs), line(endMs)];
  const isBand = last[1] - first[1] > MIN_BAND_PX;
  const band = `M${points(first)}L${point(last[2], last[3])} ${point(last[0], last[1])}Z`;
  return html`<g><title>${stepText(step)}, ${momentText(step)}</title>${isBand && html`<path class="band ${name}" d="${band}"/>`}<path class="${name}" d="M${points(first)}${isBand && !small && `M${points(last)}`}"/>${
    isLost
      ? html`<path class="lost" d="${cross(first)}"/>`
      : !small && html`<path class="head ${name}" d="${head(isBand ? last : first)}"/>`
  }</g>
`;
}

/** Packets closer than this are drawn as one. */
const MIN_BAND_PX = 1.5;

/** Time of a step at the client's end, in ms. */
export function momentText({ beginMs, endMs, packets }: FlowStep): string {
  const [begin, end] = [beginMs.toFixed(1), endMs.toFixed(1)];
  return packets > 1 && begin !== end ? `${begin} to ${end} ms` : `${begin} ms`;
}

type Line = [x1: number, y1: number, x2: number, y2: number];

function points([x1, y1, x2, y2]: Line): string {
  return `${point(x1, y1)}L${point(x2, y2)}`;
}

function point(x: number, y: number): string {
  return `${px(x)} ${px(y)}`;
}

const HEAD_PX = 7;

function head([x1, y1, x2, y2]: Line): string {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const side = (turn: number) =>
    point(x2 - HEAD_PX * Math.cos(angle + turn), y2 - HEAD_PX * Math.sin(angle + turn));
  return `M${point(x2, y2)}L${side(0.4)} ${side(-0.4)}Z`;
}

function cross([, , x, y]: Line): string {
  return `M${point(x - 4, y - 4)}l8 8m0 -8l-8 8`;
}
