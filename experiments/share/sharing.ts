import { FLOW_STEP_MS } from '../../records/flow.ts';
import { jainIndex } from '../../statistics/jain-index.ts';
import type { Arrivals } from './arrivals.ts';

/** What of a trial is counted: from the last flow's first byte until the first flow ended. */
export interface Counted {
  fromMs: number;
  untilMs: number;
}

export function countedOf(flows: readonly Arrivals[]): Counted {
  return {
    fromMs: Math.max(...flows.map(({ firstByteMs }) => firstByteMs)),
    untilMs: Math.min(...flows.map(({ endMs }) => endMs)),
  };
}

/** What each flow had of the bottleneck in the counted time, and all of them together. */
export interface Sharing {
  goodputsKbps: number[];
  totalKbps: number;
  jain: number | null;
  /** See timeToFairMs. */
  timeToFairMs: number | null;
}

export function sharingOf(flows: readonly Arrivals[], counted: Counted): Sharing {
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

/**
 * When sharing became fair, in ms after the last flow's first byte: the first moment from which on, for 5 s, what each flow got in every
 * second was within 20 % of an equal part. Null: never, or the counted time is too short to tell.
 */
export function timeToFairMs(
  flows: readonly Arrivals[],
  { fromMs, untilMs }: Counted,
): number | null {
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
  return bytes.every((each) => Math.abs(each - fair) <= NEAR_FAIR * fair);
}
