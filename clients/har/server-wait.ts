import { serverTimingMs } from '../server-timing.ts';

/** The wait that a response's Server-Timing reports, in ms; null: no duration. */
export function serverMsOf(headers: readonly { name: string; value: string }[]): number | null {
  const found = headers.filter(({ name }) => name.toLowerCase() === 'server-timing');
  return serverTimingMs(found.map(({ value }) => value));
}

/**
 * The end of a request's wait that exceeds the one round trip of request and response, and at least what the server reports as its
 * own; in ms.
 * @param serverMs as reported by the server; null: it reports nothing
 * @param rttMs round-trip time of the path; null: unknown
 */
export function beyondRoundTripMs(
  waitMs: number,
  serverMs: number | null,
  rttMs: number | null,
): number {
  return Math.min(waitMs, Math.max(serverMs ?? 0, waitMs - (rttMs ?? waitMs)));
}
