import { jainIndex } from '../../statistics/jain-index.ts';
import type { Arrivals } from './arrivals.ts';
import { FLOW_STEP_MS } from './records.ts';

/** Time from the last flow's request to the counted time: this part of the duration, but at least `leastMs`. */
const SETTLING = { part: 0.1, leastMs: 1_000 } as const;

/** The counted time of a trial: from when all flows have settled to the end of the first one. */
export interface CountedSpan {
  fromMs: number;
  untilMs: number;
}

/**
 * The counted time. It does not begin with first bytes: the wait for them belongs to a flow's share, and after slow start
 * bytes behind lost packets would arrive in the counted time faster than the link carries them.
 * @param durationMs time during which all flows are active
 */
export function countedSpanOf(flows: readonly Arrivals[], durationMs: number): CountedSpan {
  const settlingMs = Math.max(SETTLING.leastMs, SETTLING.part * durationMs);
  return {
    fromMs: lastBeganMs(flows) + settlingMs,
    untilMs: Math.min(...flows.map(({ endMs }) => endMs)),
  };
}

function lastBeganMs(flows: readonly Arrivals[]): number {
  return Math.max(...flows.map(({ beganMs }) => beganMs));
}

/** Goodputs in the counted time. */
interface Sharing {
  goodputsKbps: number[];
  totalKbps: number;
  jain: number | null;
  timeToFairMs: number | null;
}

export function sharingOf(flows: readonly Arrivals[], counted: CountedSpan): Sharing {
  const { fromMs, untilMs } = counted;
  // Bits per ms are kbit/s.
  const goodputsKbps = flows.map(
    ({ bytesBy }) => (8 * (bytesBy(untilMs) - bytesBy(fromMs))) / (untilMs - fromMs),
  );
  return {
    goodputsKbps,
    totalKbps: goodputsKbps.reduce((sum, each) => sum + each, 0),
    jain: jainIndex(goodputsKbps),
    timeToFairMs: timeToFairMs(flows, counted),
  };
}

/** Window over which the share of each flow is computed: some round trips, and less than the time between two losses. */
export const MOVING_MS = 1_000;
/** Maximum deviation of each flow from the fair share, as a part of it. */
export const NEAR_FAIR = 0.2;
/** Time for which shares must stay fair. */
export const FAIR_FOR_MS = 5_000;
/** From this duration on the report counts trials without fair shares; shorter ones, with slow start, are rarely fair. */
export const FAIR_REPORTED_FROM_MS = 8_000;

/**
 * Time in ms from the request for the last flow to the start of the first 5 s in which each flow got within 20 % of an equal
 * part in every second. null: never, or the flows are too short.
 */
export function timeToFairMs(
  flows: readonly Arrivals[],
  { untilMs }: Pick<CountedSpan, 'untilMs'>,
): number | null {
  const fromMs = lastBeganMs(flows);
  let sinceMs: number | null = null;
  for (let atMs = fromMs; atMs + MOVING_MS <= untilMs; atMs += FLOW_STEP_MS) {
    if (!isFair(flows, atMs)) {
      sinceMs = null;
      continue;
    }
    sinceMs ??= atMs;
    if (atMs + MOVING_MS - sinceMs >= FAIR_FOR_MS) return sinceMs - fromMs;
  }
  return null;
}

function isFair(flows: readonly Arrivals[], fromMs: number): boolean {
  const bytes = flows.map(({ bytesBy }) => bytesBy(fromMs + MOVING_MS) - bytesBy(fromMs));
  const fair = bytes.reduce((sum, each) => sum + each, 0) / flows.length;
  return fair > 0 && bytes.every((each) => Math.abs(each - fair) <= NEAR_FAIR * fair);
}
