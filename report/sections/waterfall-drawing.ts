import { roundStep } from '../../kit/charts/axis.ts';
import { html, type Markup, trusted } from '../../kit/page/markup.ts';
import { bytesText, countText, countWithNoun } from '../../kit/text/number.ts';
import {
  busySpans,
  isError,
  LEAST_MS,
  PHASES,
  type PhaseName,
  type ShownRequests,
  type WaterfallLoad,
  type WaterfallMark,
  type WaterfallRequest,
} from './waterfall-load.ts';

const WIDTH_PX = 1040;
const NAMES_PX = 250;
const PLOT_PX = WIDTH_PX - NAMES_PX - 14;
const ROW_PX = 13;
const LINE_PX = 14;
/** Characters of the chart's font that fit next to the bars. */
const NAME_CHARACTERS = 36;
const HOVER_CHARACTERS = 90;

/** Heights distinguish the phases without colours. */
const BAR_PX: Record<PhaseName, number> = {
  held: 2,
  lookUp: 6,
  connect: 6,
  wait: 6,
  longer: 6,
  receive: 10,
};

/** One load as SVG: a row for each request, its phases as bars, the page's moments as lines across all rows. */
export function waterfallDrawing(
  load: WaterfallLoad,
  { own, folded }: ShownRequests,
  axis: TimeAxis,
  ariaLabel: string,
): Markup {
  const x = (ms: number) => NAMES_PX + (PLOT_PX * Math.min(ms, axis.endMs)) / axis.endMs;
  const topPx = LINE_PX + 4;
  const bottomPx = topPx + (own.length + (folded.length > 0 ? 1 : 0)) * ROW_PX;
  const rowY = (row: number) => topPx + row * ROW_PX + ROW_PX / 2;
  const heightPx = bottomPx + LINE_PX + 4;
  const foldedBars = busySpans(folded)
    .filter(({ startMs }) => startMs < axis.endMs)
    .map(({ startMs, endMs }) => bar(x(startMs), x(endMs), rowY(own.length), BAR_PX.wait));
  return html`<svg class="chart waterfall" viewBox="0 0 ${WIDTH_PX} ${heightPx}" role="img" aria-label="${ariaLabel}">
<path class="grid" d="${path(axis.ticksMs.map((ms) => `M${px(x(ms))} ${topPx}V${bottomPx}`))}"/>
<g class="rows">${own.map((request, row) => requestRow(request, rowY(row)))}${folded.length > 0 && foldedRow(folded.length, rowY(own.length))}</g>
${PHASES.map(({ name }) => {
  const bars = own.flatMap(({ spans }, row) =>
    spans
      .filter(({ phase, startMs }) => phase === name && startMs < axis.endMs)
      .filter((span) => name === 'receive' || span.endMs - span.startMs >= LEAST_MS)
      .map(({ startMs, endMs }) => bar(x(startMs), x(endMs), rowY(row), BAR_PX[name])),
  );
  return bars.length > 0 && html`<path class="${name}" d="${path(bars)}"/>`;
})}${folded.length > 0 && html`<path class="folded" d="${path(foldedBars)}"/>`}
${load.marks.map(({ name, atMs }) => html`<path class="mark ${name}" d="M${px(x(atMs))} ${LINE_PX}V${bottomPx}"/>`)}
${markGroups(load.marks, x).map(({ text, centrePx }) => html`<text class="mark" x="${px(centrePx)}" y="${LINE_PX - 3}">${text}</text>`)}
${axis.ticksMs.map((ms, index) => html`<text x="${px(x(ms))}" y="${bottomPx + LINE_PX}">${countText(ms)}${index === 0 && ' ms'}</text>`)}
</svg>`;
}

/** The path is the pointer's target for the hover text; only the table has each phase in numbers. */
function requestRow(request: WaterfallRequest, y: number): Markup {
  const { address } = request;
  const isFailed = isError(request);
  const mark = isFailed ? `${request.status || 'no response'}: ` : '';
  const name = shortAddress(address, NAME_CHARACTERS - mark.length);
  const whole = name === address ? '' : `${shortAddress(address, HOVER_CHARACTERS)}\n`;
  return html`<g${isFailed && html` class="error"`}><title>${whole}${requestText(request)}</title><path d="M0 ${px(y)}H${WIDTH_PX}"/><text y="${px(y + 4)}">${mark}${name}</text></g>
`;
}

function foldedRow(requests: number, y: number): Markup {
  return html`<g><path d="M0 ${px(y)}H${WIDTH_PX}"/><text y="${px(y + 4)}">${countWithNoun(requests, 'shorter request')}, together</text></g>
`;
}

function requestText(request: WaterfallRequest): string {
  const { status, protocol, wireBytes, fromCache, startMs, endMs } = request;
  const times = `${Math.round(startMs)} to ${Math.round(endMs)} ms`;
  if (status === 0) return `no response, ${times}`;
  const size = wireBytes === null ? '' : ` ${bytesText(wireBytes)}`;
  return `${status} ${fromCache ? 'from cache' : protocol}${size}, ${times}`;
}

/** Marks that share a label because their labels would overlap. */
interface MarkGroup {
  marks: WaterfallMark[];
  text: string;
  centrePx: number;
  halfPx: number;
}

const CHARACTER_PX = 6;

/** Groups marks, sorted by their moments, until no labels overlap. */
function markGroups(marks: readonly WaterfallMark[], x: (ms: number) => number): MarkGroup[] {
  const groups: MarkGroup[] = [];
  for (const mark of marks) {
    let group = groupOf([mark], x);
    for (let before = groups.at(-1); before && meet(before, group); before = groups.at(-1)) {
      group = groupOf([...before.marks, ...group.marks], x);
      groups.pop();
    }
    groups.push(group);
  }
  return groups;
}

function groupOf(marks: WaterfallMark[], x: (ms: number) => number): MarkGroup {
  const byMoment = Map.groupBy(marks, ({ atMs }) => countText(Math.round(atMs)));
  const text = [...byMoment]
    .map(([moment, together]) => `${together.map(({ name }) => name).join(', ')} ${moment}`)
    .join(' · ');
  const middlePx = (x(marks.at(0)?.atMs ?? 0) + x(marks.at(-1)?.atMs ?? 0)) / 2;
  const halfPx = (text.length * CHARACTER_PX) / 2;
  const centrePx = Math.min(WIDTH_PX - halfPx, middlePx);
  return { marks, text, centrePx, halfPx };
}

function meet(before: MarkGroup, group: MarkGroup): boolean {
  return before.centrePx + before.halfPx + CHARACTER_PX > group.centrePx - group.halfPx;
}

/** A bar as path data; both ends are rounded, so that adjacent bars stay together. */
function bar(fromPx: number, toPx: number, middlePx: number, heightPx: number): string {
  const width = Math.max(1, px(toPx) - px(fromPx));
  return `M${px(fromPx)} ${px(middlePx - heightPx / 2)}h${width}v${heightPx}h-${width}z`;
}

/** Path data has only numbers and letters, so it needs no escaping. */
function path(parts: readonly string[]): Markup {
  return trusted(parts.join(''));
}

/** Decimals would be invisible, and make the report larger. */
function px(value: number): number {
  return Math.round(value);
}

/** One axis for several loads: from navigationStart to the end of the last one. */
interface TimeAxis {
  endMs: number;
  /** Round moments at equal distances, from 0. */
  ticksMs: number[];
}

/** Number of labels that fit. */
const MOST_TICKS = 10;

/** Latest end of an axis, in page load times or ms after the load event: a longer axis would squeeze the bars before it. */
const MOST_LOAD_TIMES = 2;
const LEAST_AFTER_LOAD_MS = 1000;

/** The axis for loads, each with its load event and its last byte. */
export function timeAxis(loads: readonly { pageLoadMs: number; lastMs: number }[]): TimeAxis {
  const pageLoadMs = Math.max(1, ...loads.map((load) => load.pageLoadMs));
  const lastMs = Math.max(...loads.map((load) => load.lastMs), pageLoadMs);
  const mostMs = Math.max(MOST_LOAD_TIMES * pageLoadMs, pageLoadMs + LEAST_AFTER_LOAD_MS);
  const endMs = Math.min(lastMs, mostMs) * 1.01;
  const stepMs = roundStep(endMs / MOST_TICKS);
  const ticks = Math.floor(endMs / stepMs) + 1;
  return { endMs, ticksMs: Array.from({ length: ticks }, (_, index) => index * stepMs) };
}

/**
 * Replaces the inner part of a long address, because the host is in front and the file's name at the end, and removes characters
 * that control the direction of text.
 */
export function shortAddress(address: string, mostCharacters: number): string {
  const kept = [...address.replace(/[\p{Cc}\p{Cf}]/gu, '').toWellFormed()];
  if (kept.length <= mostCharacters) return kept.join('');
  const end = Math.ceil((mostCharacters - 1) * 0.6);
  return `${kept.slice(0, mostCharacters - 1 - end).join('')}…${kept.slice(-end).join('')}`;
}
