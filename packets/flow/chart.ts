import type { WireConnection } from '../../ground/records/packets.ts';
import { CHART_WIDTH_PX } from '../../kit/charts/canvas.ts';
import { html, type Markup } from '../../kit/page/markup.ts';
import { colourNumber } from '../../kit/page/stack.ts';
import { shorten, wrapText } from '../../kit/text/terminal.ts';
import {
  AXIS_PX,
  arrows,
  CHARACTER_PX,
  type Lifelines,
  leavesPx,
  MAX_TICKS,
  multiplesOf,
  px,
  silence,
  spanOf,
  type TimeScale,
  TOP_PX,
  timeAxis,
  timeScale,
} from './frame.ts';
import { type FlowStep, isSmall, shortText } from './sequence.ts';

/** One connection, or the mean of several loads that agree; times from its first packet on. */
export interface FlowColumn {
  label: string;
  /** Index of the colour. */
  place: number;
  /** Short description. */
  about: string;
  steps: readonly FlowStep[];
  wire: Pick<WireConnection, 'maySendMs' | 'completeMs' | 'confirmedMs' | 'roundTripMs'>;
}

/** Maximum number of labelled columns side by side. */
export const MAX_COLUMNS = 3;

const ROUND_TRIP_PX = 104;
const HEIGHTS_PX = [420, 900] as const;
/** Least height of a round trip with a number; shorter ones may be millions, as in a long connection within one machine. */
const MIN_TRIP_PX = 4;

/** CSS of the chart, in addition to ARROW_STYLE. */
export const CHART_STYLE = `
.flow .grid { stroke: var(--line); stroke-width: 1; }
.flow .trip { fill: var(--raised); }
.flow text { font-size: 11px; }
.flow .name { fill: var(--ink); font-size: 14px; font-weight: 650; }
.flow .swatch-mark { fill: var(--stack); }
.flow .said { fill: var(--ink); }
.flow .said.wrong { fill: var(--verdict-slower); }
.flow .start { text-anchor: start; }
.flow .end { text-anchor: end; }
.flow .leader { stroke: var(--quiet); stroke-width: 0.7; stroke-opacity: 0.7; }
.flow .instant { stroke: var(--stack); stroke-width: 1; stroke-dasharray: 2 3; }
.flow .instant-name { fill: var(--stack); font-weight: 600; paint-order: stroke; stroke: var(--paper); stroke-width: 3px; stroke-linejoin: round; }
.flow .spread { stroke: var(--ink); stroke-width: 3; stroke-opacity: 0.5; }
.flow .silence { fill: var(--paper); stroke: var(--quiet); stroke-dasharray: 2 2; }
`;

/** The minimum round-trip time of the columns, if they agree within a tenth; null: they differ. */
export function sharedRoundTripMs(columns: readonly FlowColumn[]): number | null {
  const all = columns.flatMap(({ wire }) => wire.roundTripMs?.least ?? []);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  return all.length === columns.length && most <= least * 1.1 ? least : null;
}

/** The first round trips of connections side by side, time downwards: at least six, and at least the first response. */
export function flowChart(columns: readonly FlowColumn[], ariaLabel: string): Markup {
  const tripMs = sharedRoundTripMs(columns);
  const endMs = windowMs(columns);
  const longestTripMs = Math.max(...columns.map(({ wire }) => wire.roundTripMs?.least ?? 0));
  const wantedPx = longestTripMs > 0 ? (endMs / longestTripMs) * ROUND_TRIP_PX : HEIGHTS_PX[1];
  const heightPx = Math.min(HEIGHTS_PX[1], Math.max(HEIGHTS_PX[0], wantedPx));
  const bottomPx = TOP_PX + heightPx;
  const busy = columns.flatMap(({ steps, wire }) =>
    steps.map((step) => spanOf(step, oneWayMsOf(wire))),
  );
  const scale = timeScale(endMs, busy, [TOP_PX, bottomPx], MAX_TICKS);
  const columnPx = (CHART_WIDTH_PX - 2 * AXIS_PX) / columns.length;
  return html`<svg class="chart flow" viewBox="0 0 ${CHART_WIDTH_PX} ${bottomPx + 8}" role="img" aria-label="${ariaLabel}">
${tripMs !== null && scale.at(tripMs) - scale.at(0) >= MIN_TRIP_PX && roundTrips(scale, tripMs)}${timeAxis(scale, bottomPx)}
${columns.map((column, at) => columnMarkup(column, scale, AXIS_PX + at * columnPx, columnPx))}
${scale.breaks.map((span) => silence(scale, span))}
</svg>`;
}

function oneWayMsOf({ roundTripMs }: FlowColumn['wire']): number {
  return (roundTripMs?.least ?? 0) / 2;
}

const MIN_ROUND_TRIPS = 6;

/** Duration shown, in ms: some round trips, and the first response of at least one column. */
function windowMs(columns: readonly FlowColumn[]): number {
  const tripsMs = Math.max(...columns.map(({ wire }) => MIN_ROUND_TRIPS * 2 * oneWayMsOf(wire)));
  const endOf = (steps: readonly FlowStep[]) => Math.max(0, ...steps.map(({ endMs }) => endMs));
  const responses = columns.map(({ steps, wire }) => {
    const first = steps.findIndex(
      ({ kind, direction }) => kind === 'data' && direction === 'toClient',
    );
    const next = steps.findIndex(({ kind }, at) => at > first && kind === 'request');
    return endOf(steps.slice(0, next < 0 ? undefined : next)) + oneWayMsOf(wire);
  });
  const lastMs = Math.max(...columns.map(({ steps, wire }) => endOf(steps) + oneWayMsOf(wire)));
  return Math.max(1, Math.min(lastMs, Math.max(tripsMs, Math.min(...responses))));
}

function roundTrips(scale: TimeScale, tripMs: number): Markup {
  const trips = multiplesOf(tripMs, scale);
  const leftPx = AXIS_PX;
  return html`${trips
    .filter((at) => at % 2 === 0)
    .map((at) => {
      const [fromPx, toPx] = [at, at + 1].map((n) => scale.at(Math.min(n * tripMs, scale.endMs)));
      return html`<rect class="trip" x="${leftPx}" width="${CHART_WIDTH_PX - 2 * leftPx}" y="${px(fromPx ?? 0)}" height="${px((toPx ?? 0) - (fromPx ?? 0))}"/>`;
    })}
<text class="start" x="${CHART_WIDTH_PX - AXIS_PX + 6}" y="${TOP_PX - 20}">round</text><text class="start" x="${CHART_WIDTH_PX - AXIS_PX + 6}" y="${TOP_PX - 8}">trips</text>
${trips.slice(1).map((at) => html`<text class="start" x="${CHART_WIDTH_PX - AXIS_PX + 6}" y="${px(scale.at(at * tripMs) + 4)}">${at}</text>`)}
`;
}

function columnMarkup(
  { label, place, about, steps, wire }: FlowColumn,
  { at, endMs }: TimeScale,
  leftPx: number,
  widthPx: number,
): Markup {
  const lanePx = widthPx * 0.335;
  const lifelines: Lifelines = {
    clientPx: leftPx + lanePx,
    serverPx: leftPx + widthPx - lanePx,
    at,
    oneWayMs: oneWayMsOf(wire),
  };
  const { clientPx, serverPx } = lifelines;
  const [topPx, bottomPx] = [at(0), at(endMs)];
  const middlePx = leftPx + widthPx / 2;
  const shown = steps.filter((step) => spanOf(step, lifelines.oneWayMs)[0] < endMs);
  const characters = Math.floor((lanePx - 10) / CHARACTER_PX);
  const nameCharacters = Math.floor(widthPx / 8);
  return html`<g class="stack-${colourNumber(place)}">
<text class="name" x="${px(middlePx)}" y="16">${shorten(label, nameCharacters)}</text>
<text x="${px(middlePx)}" y="32">${shorten(about, Math.floor(widthPx / CHARACTER_PX))}</text>
<rect class="swatch-mark" x="${px(clientPx)}" width="${px(serverPx - clientPx)}" y="37" height="3"/>
<text x="${px(clientPx)}" y="${TOP_PX - 6}">client</text><text x="${px(serverPx)}" y="${TOP_PX - 6}">server</text>
<path class="lifeline" d="M${px(clientPx)} ${px(topPx)}V${px(bottomPx)}M${px(serverPx)} ${px(topPx)}V${px(bottomPx)}"/>
<svg x="${px(leftPx)}" y="${px(topPx)}" width="${px(widthPx)}" height="${px(bottomPx - topPx)}" viewBox="${px(leftPx)} ${px(topPx)} ${px(widthPx)} ${px(bottomPx - topPx)}">
${arrows(shown, lifelines)}${shown.map((step) => spread(step, lifelines))}</svg>
${clientTimes(wire, lifelines, endMs)}
${labels(shown, lifelines, characters, [topPx, bottomPx])}
</g>
`;
}

/** Spread of the start of a step that is a mean. */
function spread({ beginMs, spreadMs }: FlowStep, { at, clientPx }: Lifelines): Markup | null {
  if (!spreadMs) return null;
  const [fromPx, toPx] = [at(beginMs - spreadMs), at(beginMs + spreadMs)];
  return html`<path class="spread" d="M${px(clientPx)} ${px(fromPx)}V${px(toPx)}"/>`;
}

interface StepLabel extends Label {
  step: FlowStep;
}

const WEIGHTS = { handshake: 4, request: 3, data: 2, close: 3, control: 0, acknowledgement: 0 };
const MAX_LINES = 5;

/** Labels of each side's steps, outside of its lifeline. */
function labels(
  steps: readonly FlowStep[],
  lifelines: Lifelines,
  characters: number,
  [topPx, bottomPx]: readonly [number, number],
): Markup[] {
  const labelled = steps.filter(({ kind, fate }) => !isSmall(kind) || fate === 'lost');
  return (['toServer', 'toClient'] as const).map((direction) => {
    const isClient = direction === 'toServer';
    const own: StepLabel[] = labelled
      .filter((step) => step.direction === direction)
      .map((step) => {
        const spreadText = step.spreadMs ? [`±${step.spreadMs.toFixed(1)} ms`] : [];
        return {
          step,
          wantedPx: leavesPx(step, lifelines),
          lines: [...linesOf(shortText(step), characters, MAX_LINES), ...spreadText],
          weight: step.fate === 'arrived' ? WEIGHTS[step.kind] : 1,
        };
      })
      .filter(({ wantedPx }) => wantedPx <= bottomPx - LABEL_LINE_PX / 2);
    const linePx = isClient ? lifelines.clientPx : lifelines.serverPx;
    const side = isClient ? -1 : 1;
    return html`${placeLabels(own, [topPx - LABEL_LINE_PX / 2, bottomPx]).map(
      ({ label, atPx }) =>
        html`<path class="leader" d="M${px(linePx + side)} ${px(label.wantedPx)}L${px(linePx + side * 9)} ${px(atPx)}"/>${label.lines.map((line, n) => html`<text class="said ${isClient ? 'end' : 'start'}${label.step.fate !== 'arrived' && ' wrong'}" x="${px(linePx + side * 12)}" y="${px(atPx + n * LABEL_LINE_PX + 4)}">${line}</text>`)}`,
    )}`;
  });
}

const CLIENT_TIMES = {
  maySendMs: 'may send',
  completeMs: 'complete',
  confirmedMs: 'confirmed',
} as const;

const NEAR_PX = 24;

/** Lines at CLIENT_TIMES, labelled at the server's side, which has room. */
function clientTimes(
  wire: FlowColumn['wire'],
  { clientPx, serverPx, at }: Lifelines,
  endMs: number,
): Markup[] {
  const shown = (Object.keys(CLIENT_TIMES) as (keyof typeof CLIENT_TIMES)[]).flatMap((key) => {
    const ms = wire[key];
    return ms === null || ms > endMs ? [] : [{ ms, text: `${CLIENT_TIMES[key]} ${ms.toFixed(1)}` }];
  });
  // Labels of nearly simultaneous times are stacked above the first.
  const firsts = shown.map(({ ms }) => shown.find((other) => at(ms) - at(other.ms) < NEAR_PX));
  const names = shown.map(({ text }, n) => {
    const below = firsts.filter((first, other) => other > n && first === firsts[n]).length;
    const basePx = at(firsts[n]?.ms ?? 0) - 5 - below * (LABEL_LINE_PX - 1);
    return html`<text class="instant-name end" x="${px(serverPx - 6)}" y="${px(basePx)}">${text}</text>`;
  });
  const lines = shown.map(({ ms }) => `M${px(clientPx - 6)} ${px(at(ms))}H${px(serverPx)}`);
  return [html`<path class="instant" d="${lines.join('')}"/>`, ...names];
}

interface Label {
  /** Preferred centre of the first line. */
  wantedPx: number;
  lines: string[];
  /** Labels with a lower weight are dropped if there is no room. */
  weight: number;
}

interface PositionedLabel<L extends Label> {
  label: L;
  /** Centre of the first line. */
  atPx: number;
}

export const LABEL_LINE_PX = 13;
const BETWEEN_PX = 3;

/** Moves labels apart as little as possible, between two heights. */
export function placeLabels<L extends Label>(
  labels: readonly L[],
  [topPx, bottomPx]: readonly [number, number],
): PositionedLabel<L>[] {
  const kept = labels.toSorted((a, b) => b.weight - a.weight);
  const heightOf = (all: readonly L[]) => all.reduce((sum, each) => sum + heightPx(each), 0);
  while (kept.length > 0 && heightOf(kept) > bottomPx - topPx) kept.pop();
  const placed = kept
    .sort((a, b) => a.wantedPx - b.wantedPx)
    .map((label) => ({ label, atPx: label.wantedPx }));
  let freePx = topPx + LABEL_LINE_PX / 2;
  for (const each of placed) {
    each.atPx = Math.max(each.atPx, freePx);
    freePx = each.atPx + heightPx(each.label);
  }
  freePx = bottomPx + LABEL_LINE_PX / 2;
  for (const each of placed.toReversed()) {
    each.atPx = Math.min(each.atPx, freePx - heightPx(each.label));
    freePx = each.atPx;
  }
  return placed;
}

function heightPx({ lines }: Label): number {
  return lines.length * LABEL_LINE_PX + BETWEEN_PX;
}

/** Wraps a text at this many characters; the last line ends with an ellipsis if the text is longer. */
export function linesOf(text: string, characters: number, maxLines: number): string[] {
  const lines = wrapText(text, characters).split('\n');
  const shown = lines.slice(0, maxLines);
  if (lines.length > maxLines) shown[maxLines - 1] += ' …';
  return shown.map((line) => shorten(line, characters));
}
