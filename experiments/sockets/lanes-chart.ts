import { chartOf, html, type Markup } from '../../kit/page/markup.ts';
import { type ChartStack, stackColour } from '../../kit/page/stack.ts';
import { EVENT_MEANINGS } from './event-meanings.ts';
import type { Lane, LaneEvent } from './lanes.ts';

export interface ArmLanes {
  arm: ChartStack;
  lanes: readonly Lane[];
}

const WIDTH_PX = 1040;
const LEFT_PX = 200;
const RIGHT_PX = 60;
const TOP_PX = 10;
const LABEL_PX = 15;
const LANE_PX = 24;
const AXIS_PX = 40;
/** Approximate width of a letter of a chart's text. */
const LETTER_PX = 6.4;
const GAP_PX = 10;
const RADIUS_PX = 5;
const TICKS = 8;

/** Events of both ends on one axis: a lane with labels for each arm and end. */
export function lanesChart(arms: readonly ArmLanes[], ariaLabel: string): Markup {
  const all = arms.flatMap(({ lanes }) => lanes.flatMap(({ events }) => events));
  const lastMs = Math.max(0.001, ...all.map(({ atMs }) => atMs));
  const placeOf = (ms: number) => LEFT_PX + (ms / lastMs) * (WIDTH_PX - LEFT_PX - RIGHT_PX);
  let y = TOP_PX;
  const drawn = arms.flatMap(({ arm, lanes }) =>
    lanes.map((lane) => {
      const labels = placedLabels(lane.events, placeOf);
      const middle = y + LANE_PX / 2;
      y += LANE_PX + LABEL_PX * (1 + Math.max(0, ...labels.map(({ row }) => row)));
      return laneMarkup({ arm, lane, labels, middle, placeOf });
    }),
  );
  const height = y + AXIS_PX;
  const svg = html`<svg role="img" aria-label="${ariaLabel}" viewBox="0 0 ${WIDTH_PX} ${height}" class="chart">
${ticksTo(lastMs).map((ms) => tickMarkup(placeOf(ms), y, ms))}
<text x="${(LEFT_PX + WIDTH_PX) / 2}" y="${y + 34}">Median time since the request for the connection, in ms</text>
${drawn}</svg>`;
  return chartOf(svg, {
    columns: ['Stack', 'End', 'Event', 'Median in ms', 'Exchanges'],
    rows: () =>
      arms.flatMap(({ arm, lanes }) =>
        lanes.flatMap(({ end, events }) =>
          events.map((each) => [arm.label, end, eventLabel(each), each.atMs, each.exchanges]),
        ),
      ),
  });
}

interface PlacedLabel extends LaneEvent {
  x: number;
  /** Row below the lane, from 0. */
  row: number;
  text: string;
}

/** Places each label in the first row with room. */
function placedLabels(
  events: readonly LaneEvent[],
  placeOf: (ms: number) => number,
): PlacedLabel[] {
  const ends: number[] = [];
  return events.map((each) => {
    const text = eventLabel(each);
    const x = placeOf(each.atMs);
    const free = ends.findIndex((end) => end + GAP_PX <= x);
    const row = free === -1 ? ends.length : free;
    ends[row] = x + text.length * LETTER_PX;
    return { ...each, x, row, text };
  });
}

/** Label of an event: `data`, or `data 2` for a later message. */
export function eventLabel({ event, message }: Pick<LaneEvent, 'event' | 'message'>): string {
  const { label } = EVENT_MEANINGS[event];
  return message === null || message === 1 ? label : `${label} ${message}`;
}

interface DrawnLane {
  arm: ChartStack;
  lane: Lane;
  labels: readonly PlacedLabel[];
  middle: number;
  placeOf(ms: number): number;
}

function laneMarkup({ arm, lane, labels, middle, placeOf }: DrawnLane): Markup {
  const colour = stackColour(arm);
  const right = Math.max(placeOf(0), ...labels.map(({ x }) => x));
  return html`<text x="0" y="${middle + 4}" text-anchor="start" fill="var(--ink)">${arm.label}, ${lane.end}</text>
<line x1="${placeOf(0).toFixed(1)}" x2="${right.toFixed(1)}" y1="${middle}" y2="${middle}" stroke="${colour}"/>
${labels.map(({ x, row, text, event, atMs }) => {
  const below = middle + LANE_PX / 2 + LABEL_PX * row + 8;
  const { isComparable } = EVENT_MEANINGS[event];
  const title = `${arm.label}, ${lane.end}: ${text} at ${atMs.toFixed(2)} ms`;
  return html`<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${middle}" y2="${below}" stroke="var(--line)"/><circle cx="${x.toFixed(1)}" cy="${middle}" r="${RADIUS_PX}" fill="${isComparable ? colour : 'var(--paper)'}" stroke="${colour}"><title>${title}</title></circle><text x="${(x + 3).toFixed(1)}" y="${below}" text-anchor="start" fill="${isComparable ? 'var(--ink)' : 'var(--quiet)'}">${text}</text>
`;
})}`;
}

function tickMarkup(x: number, bottom: number, ms: number): Markup {
  return html`<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${TOP_PX}" y2="${bottom}" stroke="var(--line)"/><text x="${x.toFixed(1)}" y="${bottom + 16}">${Number(ms.toPrecision(3))}</text>
`;
}

/** Round numbers from 0 on, about TICKS of them. */
function ticksTo(lastMs: number): number[] {
  const rough = lastMs / TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((each) => each * power >= rough) ?? 10);
  return Array.from({ length: Math.floor(lastMs / step) + 1 }, (_, index) => index * step);
}
