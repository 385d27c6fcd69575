import { jainIndex } from '../../statistics/jain-index.ts';
import type { Arrivals } from './arrivals.ts';
import { FLOW_STEP_MS } from './records.ts';

/** So long after the last flow was asked for counting begins, as a part of the time in which all flows are let, and at least. */
const SETTLING = { part: 0.1, leastMs: 1_000 } as const;

/** What of a trial is counted: when all flows have settled, until the first one ended. */
export interface CountedSpan {
  fromMs: number;
  untilMs: number;
}

/**
 * Not from first bytes on: what a flow waits for its own is part of what it gets, and slow start leaves bytes at the client behind
 * packets that were lost, which would arrive in the counted time faster than any link carries them.
 * @param durationMs how long all flows are let at once
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

/** What each flow had of the bottleneck in the counted time, and all of them together. */
interface Sharing {
  goodputsKbps: number[];
  totalKbps: number;
  jain: number | null;
  /** See timeToFairMs. */
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

/** So long are the times over which shares are told: some round trips, and less than the time between two losses. */
export const MOVING_MS = 1_000;
/** So near to the fair share each flow has to be, as a part of it. */
export const NEAR_FAIR = 0.2;
/** So long it has to stay there. */
export const FAIR_FOR_MS = 5_000;
/** Flows that are let for less, slow start included, hardly can become fair: that they did not says nothing. */
export const FAIR_REPORTED_FROM_MS = 8_000;

/**
 * When sharing became fair, in ms after the last flow was asked for: the first moment from which on, for 5 s, what each flow got in every
 * second was within 20 % of an equal part. Null: never, or the time is too short to tell.
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
