import { html, type Markup } from '../../kit/page/markup.ts';
import { px, type Span } from './frame.ts';
import { type FlowStep, isSmall, stepText } from './sequence.ts';

/** Two lifelines and how time runs along them. */
export interface Lifelines {
  clientPx: number;
  serverPx: number;
  /** Height of a moment, in ms on the clock of the steps. */
  at(ms: number): number;
  /** How long a packet is on its way. */
  oneWayMs: number;
}

/** Rules of what arrows() draws. */
export const ARROW_STYLE = `
.flow .handshake { stroke: var(--ink); }
.flow .request { stroke: var(--stack); stroke-width: 1.8; }
.flow .data { stroke: var(--stack); }
.flow .band { fill: var(--stack); fill-opacity: 0.28; stroke: none; }
.flow .close { stroke: var(--ink); stroke-dasharray: 1 3; }
.flow .small { stroke: var(--quiet); stroke-opacity: 0.55; stroke-width: 0.7; }
.flow .small.band { fill: var(--quiet); fill-opacity: 0.14; }
.flow .lost, .flow .again { stroke: var(--verdict-slower); stroke-width: 1.6; }
.flow .again { stroke-dasharray: 5 3; }
.flow .again.band { fill: var(--verdict-slower); }
.flow path { fill: none; stroke-width: 1.4; }
.flow .head { fill: var(--stack); stroke: none; }
.flow .handshake.head, .flow .close.head { fill: var(--ink); }
.flow .again.head { fill: var(--verdict-slower); }
.flow .lifeline { stroke: var(--quiet); stroke-width: 1.5; }
`;

/** From when to when a step was under way, at either end. */
export function spanOf({ way, beginMs, endMs }: FlowStep, oneWayMs: number): Span {
  return way === 'toServer' ? [beginMs, endMs + oneWayMs] : [beginMs - oneWayMs, endMs];
}

/** The height at which a step leaves its sender. */
export function leavesPx({ way, beginMs }: FlowStep, { at, oneWayMs }: Lifelines): number {
  return at(way === 'toServer' ? beginMs : beginMs - oneWayMs);
}

/** Steps as arrows: what matters most is drawn last, and so on top. */
export function arrows(steps: readonly FlowStep[], lifelines: Lifelines): Markup[] {
  const heightOf = ({ fate, kind }: FlowStep) => (fate !== 'arrived' ? 2 : isSmall(kind) ? 0 : 1);
  return steps.toSorted((a, b) => heightOf(a) - heightOf(b)).map((step) => arrow(step, lifelines));
}

/** A step as an arrow, or as a band from its first packet to its last; what was lost ends half-way with a cross. */
function arrow(step: FlowStep, lifelines: Lifelines): Markup {
  const { clientPx, serverPx, at, oneWayMs } = lifelines;
  const { way, fate, kind, beginMs, endMs } = step;
  const [fromPx, toPx] = way === 'toServer' ? [clientPx, serverPx] : [serverPx, clientPx];
  const leaveMs = way === 'toServer' ? 0 : -oneWayMs;
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
  const isBand = last[1] - first[1] > LEAST_BAND_PX;
  const band = `M${points(first)}L${point(last[2], last[3])} ${point(last[0], last[1])}Z`;
  return html`<g><title>${stepText(step)}, ${momentText(step)}</title>${isBand && html`<path class="band ${name}" d="${band}"/>`}<path class="${name}" d="M${points(first)}${isBand && !small && `M${points(last)}`}"/>${
    isLost
      ? html`<path class="lost" d="${cross(first)}"/>`
      : !small && html`<path class="head ${name}" d="${head(isBand ? last : first)}"/>`
  }</g>
`;
}

/** Packets nearer to each other are drawn as one. */
const LEAST_BAND_PX = 1.5;

/** When a step was seen at the client's end, in ms. */
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
