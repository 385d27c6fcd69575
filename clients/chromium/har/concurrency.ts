import type { HarEntry } from './har.ts';

/**
 * The most requests that were under way at the same time. A request is under way from the moment its first byte was
 * sent (waiting, looking up and connecting are over then) to its last byte received. Requests without a response are left
 * out: nothing says whether they were sent.
 */
export function peakConcurrency(entries: readonly HarEntry[]): number {
  const spans = entries.filter(({ response }) => response.status > 0).map(spanOf);
  return Math.max(0, ...spans.map(({ sentMs }) => spans.filter(isUnderWayAt(sentMs)).length));
}

interface Span {
  sentMs: number;
  endMs: number;
}

// A HAR tells starts to the millisecond: what overlaps by less than that may well have come one after the other.
const RESOLUTION_MS = 1;

function isUnderWayAt(moment: number): (span: Span) => boolean {
  return ({ sentMs, endMs }) =>
    sentMs === moment || (sentMs < moment && moment < endMs - RESOLUTION_MS);
}

function spanOf({ startedDateTime, time, timings }: HarEntry): Span {
  const startMs = Date.parse(startedDateTime);
  const before = [timings.blocked, timings.dns, timings.connect];
  const beforeMs = before.reduce((sum, phase) => sum + Math.max(0, phase), 0);
  return { sentMs: startMs + beforeMs, endMs: startMs + time };
}
