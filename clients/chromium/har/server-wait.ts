/** The longest duration of Server-Timing, in ms, since parts lie within a whole; null: no duration. */
export function serverMsOf(headers: readonly { name: string; value: string }[]): number | null {
  const durationsMs = headers
    .filter(({ name }) => name.toLowerCase() === 'server-timing')
    .flatMap(({ value }) => [...value.matchAll(/;\s*dur="?(\d{1,7}(?:\.\d+)?)/gi)])
    .map(([, ms]) => Number(ms));
  return durationsMs.length === 0 ? null : Math.max(...durationsMs);
}

/**
 * The end of a request's wait that the server reports as its own, or that exceeds the one round trip of request and response; in ms.
 * @param serverMs as reported by the server; null: it reports nothing
 * @param rttMs round-trip time of the path; null: unknown
 */
export function beyondRoundTripMs(
  waitMs: number,
  serverMs: number | null,
  rttMs: number | null,
): number {
  return Math.min(waitMs, serverMs ?? Math.max(0, waitMs - (rttMs ?? waitMs)));
}
