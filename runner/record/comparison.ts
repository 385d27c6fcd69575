import { createHash } from 'node:crypto';
import { cacheUrl } from '../../cache/importers/file-url.ts';
import type { SiteManifest } from '../../cache/manifest.ts';
import type { RecordedExchange } from '../../cache/recording.ts';

/** What a replay did otherwise than the live load. Requests are named by method and URL, all as https and without port. */
export interface LoadComparison {
  /** Requests of both loads whose answers are the same: status, and every byte of the body as sent. */
  same: number;
  /** Requests of the live load that were kept. */
  kept: number;
  /** Kept, and not asked for at the replay. */
  notAskedFor: string[];
  /** Asked for at the replay alone. */
  new: string[];
  /** Asked for in both loads, and answered otherwise. */
  otherAnswers: { request: string; live: string; replayed: string }[];
}

/** Compares the requests of two loads, and their answers where the site has them. */
export function compareLoads(
  live: readonly RecordedExchange[],
  replayed: readonly RecordedExchange[],
  manifest: Pick<SiteManifest, 'resources'>,
): LoadComparison {
  const inSite = new Set(manifest.resources.map(({ method, url }) => `${method} ${url}`));
  const before = firstAnswers(live);
  const after = firstAnswers(replayed);
  const kept = [...before].filter(([request]) => inSite.has(request));
  const both = kept.flatMap(([request, exchange]) => {
    const again = after.get(request);
    return again ? [{ request, live: answerOf(exchange), replayed: answerOf(again) }] : [];
  });
  const otherAnswers = both.filter((pair) => pair.live.key !== pair.replayed.key);
  return {
    same: both.length - otherAnswers.length,
    kept: kept.length,
    notAskedFor: kept.map(([request]) => request).filter((request) => !after.has(request)),
    // The empty favicon of a page that names none is in the site and was in no load.
    new: [...after.keys()].filter((request) => !before.has(request) && !inSite.has(request)),
    otherAnswers: otherAnswers.map(({ request, ...pair }) => ({
      request,
      live: pair.live.text,
      replayed: pair.replayed.text,
    })),
  };
}

/** The first answer to each request: what the cache keeps. */
function firstAnswers(exchanges: readonly RecordedExchange[]): Map<string, RecordedExchange> {
  const first = new Map<string, RecordedExchange>();
  for (const exchange of exchanges) {
    const url = cacheUrl(exchange.url);
    if (url === null || leadsToItself(exchange, url)) continue;
    const request = `${exchange.method} ${url}`;
    if (!first.has(request)) first.set(request, exchange);
  }
  return first;
}

/** From http to https, which are one here. */
function leadsToItself({ url, status, headers }: RecordedExchange, cached: string): boolean {
  const target = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  if (status < 300 || status > 399 || target === undefined || !URL.canParse(target, url))
    return false;
  return cacheUrl(new URL(target, url).href) === cached;
}

/** A status and a body; 206 with the whole body is kept as 200. */
function answerOf({ status, body }: RecordedExchange): { key: string; text: string } {
  const bytes = body ?? new Uint8Array();
  const digest = createHash('sha256').update(bytes).digest('hex');
  return {
    key: `${status === 206 ? 200 : status} ${digest}`,
    text: `status ${status}, ${bytes.length.toLocaleString('en-US')} bytes`,
  };
}
