import { CHART_WIDTH_PX } from '../../kit/charts/canvas.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { colourNumber } from '../../kit/page/stack.ts';
import { bytesText, countText, countWithNoun } from '../../kit/text/number.ts';
import { shorten } from '../../kit/text/terminal.ts';
import type { FlowConnection } from './flow.ts';
import {
  AXIS_PX,
  arrows,
  CHARACTER_PX,
  type Lifelines,
  MAX_TICKS,
  px,
  silence,
  spanOf,
  TOP_PX,
  timeAxis,
  timeScale,
} from './frame.ts';

interface OverviewLoad {
  label: string;
  /** Index of the colour. */
  place: number;
  connections: readonly FlowConnection[];
  /** Origin of the times, in ms after the capture's first packet. */
  zeroMs: number;
}

const HEIGHT_PX = 560;
/** Distance of a connection's lifelines: a share of its width, with a maximum in pixels. */
const ARROW_SHARE = 0.62;
const MAX_ARROW_PX = 190;

/** Whole loads side by side, a pair of lifelines for each connection; the table has the texts. */
export function overviewChart(loads: readonly OverviewLoad[], ariaLabel: string): Markup {
  const drawn = loads.map((load) => ({
    ...load,
    connections: load.connections.map(sinceZero(load)),
  }));
  const busy = drawn.flatMap(({ connections }) =>
    connections.flatMap(({ steps, oneWayMs }) => steps.map((step) => spanOf(step, oneWayMs))),
  );
  const endMs = Math.max(1, ...busy.map(([, end]) => end));
  const bottomPx = TOP_PX + HEIGHT_PX;
  const scale = timeScale(endMs, busy, [TOP_PX, bottomPx], MAX_TICKS);
  const columns = drawn.reduce((sum, { connections }) => sum + weightOf(connections.length), 0);
  const columnPx = (CHART_WIDTH_PX - 2 * AXIS_PX) / columns;
  let leftPx = AXIS_PX;
  const parts = drawn.map(({ label, place, connections }) => {
    const widthPx = weightOf(connections.length) * columnPx;
    const eachPx = widthPx / Math.max(1, connections.length);
    const middlePx = leftPx + widthPx / 2;
    const part = html`<g class="stack-${colourNumber(place)}">
<text class="name" x="${px(middlePx)}" y="16">${shorten(label, Math.floor(widthPx / 8))}</text>
<rect class="swatch-mark" x="${px(leftPx + 6)}" width="${px(widthPx - 12)}" y="22" height="3"/>
${connections.map((connection, at) => pair(connection, leftPx + at * eachPx, eachPx, scale.at))}
</g>
`;
    leftPx += widthPx;
    return part;
  });
  return html`<svg class="chart flow" viewBox="0 0 ${CHART_WIDTH_PX} ${bottomPx + 8}" role="img" aria-label="${ariaLabel}">
${scale.ticksMs.map((ms) => html`<path class="grid" d="M${AXIS_PX} ${px(scale.at(ms))}H${CHART_WIDTH_PX - AXIS_PX}"/>`)}${timeAxis(scale, bottomPx)}
${parts}
${scale.breaks.map((span) => silence(scale, span))}
</svg>`;
}

/** A load with one connection is at least half as wide as a load with several. */
function weightOf(connections: number): number {
  return Math.max(2, connections);
}

function sinceZero({ zeroMs }: OverviewLoad) {
  return ({ wire, steps, leastRttMs }: FlowConnection) => ({
    wire,
    oneWayMs: (leastRttMs ?? 0) / 2,
    steps: steps.map((step) => ({
      ...step,
      beginMs: step.beginMs - zeroMs,
      endMs: step.endMs - zeroMs,
    })),
  });
}

function pair(
  { wire, steps, oneWayMs }: ReturnType<ReturnType<typeof sinceZero>>,
  leftPx: number,
  widthPx: number,
  at: (ms: number) => number,
): Markup {
  const middlePx = leftPx + widthPx / 2;
  const halfPx = Math.min(MAX_ARROW_PX, widthPx * ARROW_SHARE) / 2;
  const lifelines: Lifelines = {
    clientPx: middlePx - halfPx,
    serverPx: middlePx + halfPx,
    at,
    oneWayMs,
  };
  const { clientPx, serverPx } = lifelines;
  const spans = steps.map((step) => spanOf(step, oneWayMs));
  const [beginPx, endPx] = [
    at(Math.min(...spans.map(([begin]) => begin))),
    at(Math.max(...spans.map(([, end]) => end))),
  ];
  const characters = Math.floor(widthPx / CHARACTER_PX);
  const requests = countWithNoun(wire.requests, 'request');
  const lines = [
    requests.length > characters ? `${countText(wire.requests)} req.` : requests,
    bytesText(wire.toClient.bytes),
  ];
  return html`${lines.map((line, n) => html`<text x="${px(middlePx)}" y="${40 + 13 * n}">${shorten(line, characters)}</text>`)}
<path class="lifeline" d="M${px(clientPx)} ${px(beginPx)}V${px(endPx)}M${px(serverPx)} ${px(beginPx)}V${px(endPx)}"/>
${arrows(steps, lifelines)}`;
}
