import { geometricMeanRatio } from '../../../statistics/geometric-mean-ratio.ts';
import { median } from '../../../statistics/median.ts';
import { muchFaster } from '../numbers/findings.ts';
import {
  PUBLISHED_DELAYS_MS,
  type PublishedDelayMs,
  readPublishedAverages,
} from '../numbers/published-numbers.ts';

/** Published ratios of several sites as one: of means, QUIC / HTTPS. */
interface PublishedRatio {
  nSites: number;
  median: number;
  /** As the ladder's own ratios are put together. */
  geometricMean: number;
}

/** What was published in 2018 of the question that a ladder asks. */
export interface PublishedClaim {
  /** Sites on which QUIC was more than 50 % faster, by the round-trip time added. */
  muchFaster: { count: number; nSites: number; rttMs: number }[];
  /** Over all sites that were published with the ladder's delay; null: none were. */
  allSites: PublishedRatio | null;
  /** Over the ladder's own sites among them; null: there are none. */
  sameSites: PublishedRatio | null;
}

export function publishedClaim(rttMs: number | null, subjects: readonly string[]): PublishedClaim {
  const delayMs = PUBLISHED_DELAYS_MS.find((each) => each === rttMs);
  const ofDelay = delayMs === undefined ? [] : ratiosOf(delayMs);
  return {
    muchFaster: PUBLISHED_DELAYS_MS.map((each) => ({
      rttMs: each,
      ...muchFaster(ratiosOf(each).map(({ quicMs, httpsMs }) => [quicMs, httpsMs] as const)),
    })),
    allSites: ratioOf(ofDelay),
    sameSites: ratioOf(ofDelay.filter(({ subject }) => subjects.includes(subject))),
  };
}

interface SiteMeans {
  subject: string;
  quicMs: number;
  httpsMs: number;
}

function ratiosOf(delayMs: PublishedDelayMs): SiteMeans[] {
  const averages = readPublishedAverages().filter((each) => each.delayMs === delayMs);
  return averages.flatMap(({ subject, protocol, meanMs: quicMs }) => {
    if (protocol !== 'quic') return [];
    const https = averages.find((each) => each.subject === subject && each.protocol === 'https');
    return https ? [{ subject, quicMs, httpsMs: https.meanMs }] : [];
  });
}

function ratioOf(subjects: readonly SiteMeans[]): PublishedRatio | null {
  const ratios = subjects.map(({ quicMs, httpsMs }) => quicMs / httpsMs);
  const pooled = geometricMeanRatio(ratios.map((ratio) => [Math.log(ratio)]));
  const middle = median(ratios);
  return pooled && middle !== null
    ? { nSites: pooled.sites, median: middle, geometricMean: pooled.ratio }
    : null;
}
