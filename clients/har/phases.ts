import type { Har, HarEntry } from './har.ts';
import type { LoadPhasesMs } from './records.ts';
import { beyondRoundTripMs, serverMsOf } from './server-wait.ts';

/**
 * Splits the page load time by the activity of its requests. Where activities overlap, the furthest one counts: receiving, then
 * waiting for a response, then connecting. Responses from the browser's cache and requests without a response are excluded: the
 * HAR entry of the latter shows only how long it was queued.
 *
 * A HAR starts with the request for the main document, some ms after navigationStart; the load event, which both clocks
 * have, gives the offset. Starts of requests have a resolution of 1 ms.
 * @param pageLoadMs loadEventEnd - navigationStart, as reported by the page
 * @returns phases whose sum is pageLoadMs; null: no page or load event in the HAR, or an invalid pageLoadMs
 */
export function phasesOf(har: Har, pageLoadMs: number): LoadPhasesMs | null {
  const found = activityMs(har, pageLoadMs, null);
  if (found === null) return null;
  const { setUp, waiting, beyond, transfer } = found;
  // Rounding could make it slightly negative.
  const rest = Math.max(0, pageLoadMs - setUp - waiting - beyond - transfer);
  return { setUp, waiting: waiting + beyond, transfer, rest };
}

/**
 * The part of the phase `waiting`, in ms, in which each waiting request was beyond the round trip of the path, or its server worked
 * by its own account (Server-Timing).
 * @param rttMs round-trip time of the path; null: unknown
 * @returns null: neither is known, or as phasesOf()
 */
export function waitingBeyondMs(har: Har, pageLoadMs: number, rttMs: number | null): number | null {
  const isKnown =
    rttMs !== null || har.log.entries.some(({ response }) => serverMsOf(response.headers) !== null);
  return isKnown ? (activityMs(har, pageLoadMs, rttMs)?.beyond ?? null) : null;
}

function activityMs(
  har: Har,
  pageLoadMs: number,
  rttMs: number | null,
): Record<NetworkPhase, number> | null {
  const [page] = har.log.pages;
  if (page === undefined || page.pageTimings.onLoad < 0) return null;
  if (!Number.isFinite(pageLoadMs) || pageLoadMs < 0) return null;
  const navigationStartMs = Date.parse(page.startedDateTime) + page.pageTimings.onLoad - pageLoadMs;
  const activities = har.log.entries
    .filter(({ _fromCache }) => _fromCache === undefined)
    .flatMap((entry) => activitiesOf(entry, rttMs))
    .map(({ phase, startMs, endMs }) => ({
      phase,
      startMs: Math.max(0, startMs - navigationStartMs),
      endMs: Math.min(pageLoadMs, endMs - navigationStartMs),
    }))
    .filter(({ startMs, endMs }) => startMs < endMs);
  return foremostMs(activities);
}

/** `beyond`: waiting beyond a round trip. */
type NetworkPhase = 'setUp' | 'waiting' | 'beyond' | 'transfer';

/** One phase of one request. */
interface Activity {
  phase: NetworkPhase;
  startMs: number;
  endMs: number;
}

/** In order of precedence: later phases of a request win. */
const BY_PRECEDENCE: readonly NetworkPhase[] = ['transfer', 'waiting', 'beyond', 'setUp'];

/** Phases are consecutive; ssl is part of connect. */
function activitiesOf(
  { startedDateTime, timings, response }: HarEntry,
  rttMs: number | null,
): Activity[] {
  const activities: Activity[] = [];
  let startMs = Date.parse(startedDateTime) + Math.max(0, timings.blocked);
  const add = (phase: NetworkPhase, ...durationsMs: number[]) => {
    const endMs = durationsMs.reduce((sum, ms) => sum + Math.max(0, ms), startMs);
    if (endMs > startMs) activities.push({ phase, startMs, endMs });
    startMs = endMs;
  };
  add('setUp', timings.dns, timings.connect);
  const waitMs = Math.max(0, timings.send) + Math.max(0, timings.wait);
  const beyondMs = beyondRoundTripMs(waitMs, serverMsOf(response.headers), rttMs);
  add('waiting', waitMs - beyondMs);
  add('beyond', beyondMs);
  add('transfer', timings.receive);
  return activities;
}

/** Time during which each phase had the highest precedence. */
function foremostMs(activities: readonly Activity[]): Record<NetworkPhase, number> {
  const totalMs = { setUp: 0, waiting: 0, beyond: 0, transfer: 0 };
  const underWay = { setUp: 0, waiting: 0, beyond: 0, transfer: 0 };
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
