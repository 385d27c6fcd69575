/**
 * How a printed average came from the values behind it. rounded: to the nearest number of so many decimals; half-way may
 * go either way. cut: the further decimals were dropped, where rounding would have gone up. other: neither.
 */
type Shortening = 'rounded' | 'cut' | 'other';

/**
 * Tells how a mean was shortened to what was printed. Exact for whole values: it counts in units of the last printed
 * digit.
 * @example shortening('1.6', [1, 2, 2]) // 1.666... to one decimal would be 1.7: cut
 */
export function shortening(printed: string, values: readonly number[]): Shortening {
  const [whole = '', decimals = ''] = printed.split('.');
  const unitsPerOne = 10 ** decimals.length;
  const sum = values.reduce((total, value) => total + value, 0);
  // What the printed number leaves over, times n.
  const rest = sum * unitsPerOne - Number(whole + decimals) * values.length;
  if (Math.abs(2 * rest) <= values.length) return 'rounded';
  return rest > 0 && rest < values.length ? 'cut' : 'other';
}

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

export interface SiteCount {
  count: number;
  nSites: number;
}

/**
 * On how many sites QUIC was "more than 50 % faster". The report counts nowhere; it says "more than 50% improvement in page
 * load times", which is taken as more than half of the time saved: a QUIC mean below 0.5 of the HTTPS mean. That is so on
 * 18 of its 30 sites without delay and on 12 of 19 with it. (Read as 1.5 times the speed it would be 20 and 15.)
 * @param means one pair for each site
 */
export function muchFaster(
  means: readonly (readonly [quicMs: number, httpsMs: number])[],
): SiteCount {
  const count = means.filter(([quicMs, httpsMs]) => quicMs < 0.5 * httpsMs).length;
  return { count, nSites: means.length };
}
