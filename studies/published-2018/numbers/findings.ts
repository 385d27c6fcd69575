/**
 * How a printed average was shortened. rounded: to its number of decimals; half-way either way. cut: further decimals were dropped
 * where rounding goes up. other: neither.
 */
type Shortening = 'rounded' | 'cut' | 'other';

/**
 * How a mean was shortened to the printed average. Exact for integers: counts in units of the last printed digit.
 * @example shortening('1.6', [1, 2, 2]) // 1.666... to one decimal would be 1.7: cut
 */
export function shortening(printed: string, values: readonly number[]): Shortening {
  const [whole = '', decimals = ''] = printed.split('.');
  const unitsPerOne = 10 ** decimals.length;
  const sum = values.reduce((total, value) => total + value, 0);
  // The remainder beyond the printed number, times n.
  const rest = sum * unitsPerOne - Number(whole + decimals) * values.length;
  if (Math.abs(2 * rest) <= values.length) return 'rounded';
  return rest > 0 && rest < values.length ? 'cut' : 'other';
}

/** Cost of an added round-trip time for one request, in round trips. */
export interface AddedCost {
  roundTrips: number;
  /** What happened instead, as a predicate, if the delay cannot be the cause; else null. */
  implausible: string | null;
}

/**
 * Minimum that counts as an effect of the delay. A request waits for at least 1 round trip, so less is noise at best. 0.5 leaves room
 * for the noise of means of ten loads, whose standard deviation is mostly a tenth of the mean, and up to all of it.
 */
export const LEAST_ROUND_TRIPS = 0.5;

/** @example addedCost(10, 40, 30) // { roundTrips: 1, implausible: null } */
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

export interface SiteCount {
  count: number;
  nSites: number;
}

/**
 * Number of sites on which QUIC was "more than 50 % faster". The report does not count; its "more than 50% improvement in page load
 * times" is read as more than half of the time saved: a QUIC mean below 0.5 of the HTTPS mean. That holds on 18 of its 30 sites without
 * delay and on 12 of 19 with it. (Read as 1.5 times the speed it would be 20 and 15.)
 * @param means one pair for each site
 */
export function muchFaster(
  means: readonly (readonly [quicMs: number, httpsMs: number])[],
): SiteCount {
  const count = means.filter(([quicMs, httpsMs]) => quicMs < 0.5 * httpsMs).length;
  return { count, nSites: means.length };
}
