import { signShares } from '../../../statistics/sign-shares.ts';

/** On how many of the sites. */
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
  const nSites = means.length;
  const shares = signShares(means.map(([quicMs, httpsMs]) => quicMs - 0.5 * httpsMs));
  return { count: Math.round((shares?.below ?? 0) * nSites), nSites };
}
