/** What an added round-trip time adds to the time of one request, in round trips. */
export interface AddedCost {
  roundTrips: number;
  /** What happened instead, as a sentence without its subject, where this cannot be the delay's doing; else null. */
  implausible: string | null;
}

/**
 * The least that counts as the delay's doing. A request waits for at least 1 round trip, so less than 1 is noise at best. Half
 * of one leaves room for the noise of means of ten loads whose standard deviation is mostly a tenth of the mean, and up to all of it.
 */
export const LEAST_ROUND_TRIPS = 0.5;

/**
 * Compares the time of a request without and with added round-trip time.
 * @example addedCost(10, 40, 30) // { roundTrips: 1, implausible: null }
 */
export function addedCost(withoutMs: number, withMs: number, delayMs: number): AddedCost {
  const addedMs = withMs - withoutMs;
  const roundTrips = addedMs / delayMs;
  if (roundTrips >= LEAST_ROUND_TRIPS) return { roundTrips, implausible: null };
  const implausible =
    addedMs < 0
      ? `took ${(-addedMs).toFixed(1)} ms less`
      : `took only ${addedMs.toFixed(1)} ms more`;
  return { roundTrips, implausible };
}
