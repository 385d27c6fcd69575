import { geometricMeanRatio } from '../../../statistics/geometric-mean-ratio.ts';
import { median } from '../../../statistics/median.ts';
import { muchFaster } from '../numbers/findings.ts';
import {
  PUBLISHED_DELAYS_MS,
  type PublishedDelayMs,
  readPublishedAverages,
} from '../numbers/published-numbers.ts';

/** Pooled published ratios of several sites: of means, QUIC / HTTPS. */
interface PublishedRatio {
  nSites: number;
  median: number;
  /** Pooled like the ladder's own ratios. */
  geometricMean: number;
}

/** Published results of 2018 for the question of the ladder. */
export interface PublishedClaim {
  /** Number of sites on which QUIC was more than 50 % faster, by added round-trip time. */
  muchFaster: { count: number; nSites: number; rttMs: number }[];
  /** Over all sites published with the ladder's delay; null: no such sites. */
  allSites: PublishedRatio | null;
  /** Over those of the ladder among them; null: no such sites. */
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
