import type { LoadPhasesMs } from '../records.ts';
import type { Har, HarEntry } from './har.ts';

/**
 * Splits the page load time of a load by what its requests were doing. Where they did different things at the same time,
 * the one furthest on decides: receiving, else waiting for a response, else making a connection. What came from the
 * browser's cache is left out, and a request without a response counts for nothing: all that its HAR entry tells is how
 * long it was held back.
 *
 * A HAR starts with the request of the main document, which the browser makes some ms after navigationStart; the load
 * event, which both clocks have, tells how many. Starts of requests are known to the millisecond.
 * @param pageLoadMs loadEventEnd - navigationStart, as the page told it
 * @returns phases whose sum is pageLoadMs; null when the HAR has no page or no load event, or the time is no duration
 */
export function phasesOf(har: Har, pageLoadMs: number): LoadPhasesMs | null {
  const [page] = har.log.pages;
  if (page === undefined || page.pageTimings.onLoad < 0) return null;
  if (!Number.isFinite(pageLoadMs) || pageLoadMs < 0) return null;
  const navigationStartMs = Date.parse(page.startedDateTime) + page.pageTimings.onLoad - pageLoadMs;
  const activities = har.log.entries
    .filter(({ _fromCache }) => _fromCache === undefined)
    .flatMap(activitiesOf)
    .map(({ phase, startMs, endMs }) => ({
      phase,
      startMs: Math.max(0, startMs - navigationStartMs),
      endMs: Math.min(pageLoadMs, endMs - navigationStartMs),
    }))
    .filter(({ startMs, endMs }) => startMs < endMs);
  const { setUp, waiting, transfer } = foremostMs(activities);
  // Rounding alone could make it negative.
  const rest = Math.max(0, pageLoadMs - setUp - waiting - transfer);
  return { setUp, waiting, transfer, rest };
}

type NetworkPhase = 'setUp' | 'waiting' | 'transfer';

/** A stretch of time in which one request was in one phase. */
interface Activity {
  phase: NetworkPhase;
  startMs: number;
  endMs: number;
}

/** The later in a request's life, the further up: a phase decides where none of those before it here takes place. */
const BY_PRECEDENCE: readonly NetworkPhase[] = ['transfer', 'waiting', 'setUp'];

/** The phases of a request follow one another without a gap; ssl lies inside connect. */
function activitiesOf({ startedDateTime, timings }: HarEntry): Activity[] {
  const activities: Activity[] = [];
  let startMs = Date.parse(startedDateTime) + Math.max(0, timings.blocked);
  const add = (phase: NetworkPhase, ...durationsMs: number[]) => {
    const endMs = durationsMs.reduce((sum, ms) => sum + Math.max(0, ms), startMs);
    if (endMs > startMs) activities.push({ phase, startMs, endMs });
    startMs = endMs;
  };
  add('setUp', timings.dns, timings.connect);
  add('waiting', timings.send, timings.wait);
  add('transfer', timings.receive);
  return activities;
}

/** For each phase, how long it was the foremost one of all activities. */
function foremostMs(activities: readonly Activity[]): Record<NetworkPhase, number> {
  const totalMs = { setUp: 0, waiting: 0, transfer: 0 };
  const underWay = { setUp: 0, waiting: 0, transfer: 0 };
  const changes = activities
    .flatMap(({ phase, startMs, endMs }) => [
      { atMs: startMs, phase, change: 1 },
      { atMs: endMs, phase, change: -1 },
    ])
    .sort((a, b) => a.atMs - b.atMs);
  let sinceMs = 0;
  for (const { atMs, phase, change } of changes) {
    const foremost = BY_PRECEDENCE.find((candidate) => underWay[candidate] > 0);
    if (foremost !== undefined) totalMs[foremost] += atMs - sinceMs;
    underWay[phase] += change;
    sinceMs = atMs;
  }
  return totalMs;
}
