import { createHash } from 'node:crypto';
import { cacheUrl } from '../../cache/importers/file-url.ts';
import { redirectsToItself } from '../../cache/importers/navigation.ts';
import type { SiteManifest } from '../../cache/manifest.ts';
import type { RecordedExchange } from '../../cache/recording.ts';
import { firstOf } from '../../cache/site-lines.ts';
import { countText, countWithNoun } from '../../kit/text/number.ts';
import type { Capture } from './capture.ts';

/** Differences between the replay and the live load. Requests have a method and a URL with https and without port. */
interface LoadComparison {
  /** Number of requests of both loads with the same response: status, and every byte of the body as sent. */
  same: number;
  /** Number of requests of the live load that were kept. */
  kept: number;
  /** Kept requests that the replay did not make. */
  missing: string[];
  /** Requests that only the replay made. */
  new: string[];
  otherAnswers: { request: string; live: string; replayed: string }[];
}

export function compareLoads(
  live: readonly RecordedExchange[],
  replayed: readonly RecordedExchange[],
  manifest: Pick<SiteManifest, 'resources'>,
): LoadComparison {
  const inSite = new Map(
    manifest.resources.map(({ method, url, bounces = [] }) => [
      `${method} ${url}`,
      bounces.length + 1,
    ]),
  );
  const before = answersByRequest(live);
  const after = answersByRequest(replayed);
  const kept = [...before].filter(([request]) => inSite.has(request));
  const both = kept.flatMap(([request, exchanges]) => {
    const again = after.get(request);
    const first = (all: readonly RecordedExchange[]) =>
      answersOf(all.slice(0, inSite.get(request)));
    return again ? [{ request, live: first(exchanges), replayed: first(again) }] : [];
  });
  const otherAnswers = both.filter((pair) => pair.live.key !== pair.replayed.key);
  return {
    same: both.length - otherAnswers.length,
    kept: kept.length,
    missing: kept.map(([request]) => request).filter((request) => !after.has(request)),
    // The site has an empty favicon that the load did not request if the page names none.
    new: [...after.keys()].filter((request) => !before.has(request) && !inSite.has(request)),
    otherAnswers: otherAnswers.map(({ request, ...pair }) => ({
      request,
      live: pair.live.text,
      replayed: pair.replayed.text,
    })),
  };
}

/** Responses of each request in order; the cache keeps the first, with bounces also the following ones. */
function answersByRequest(exchanges: readonly RecordedExchange[]): Map<string, RecordedExchange[]> {
  const cached = exchanges.filter(
    (exchange) => cacheUrl(exchange.url) !== null && !redirectsToItself(exchange),
  );
  return Map.groupBy(cached, ({ method, url }) => `${method} ${cacheUrl(url)}`);
}

function answersOf(exchanges: readonly RecordedExchange[]): { key: string; text: string } {
  const answers = exchanges.map(answerOf);
  return {
    key: answers.map(({ key }) => key).join(),
    text: answers.map(({ text }) => text).join(', then '),
  };
}

/** Status and body; 206 with the complete body is kept as 200. */
function answerOf({ status, body }: RecordedExchange): { key: string; text: string } {
  const bytes = body ?? new Uint8Array();
  const digest = createHash('sha256').update(bytes).digest('hex');
  return {
    key: `${status === 206 ? 200 : status} ${digest}`,
    text: `status ${status}, ${countText(bytes.length)} bytes`,
  };
}

const MAX_LINES = 50;

export function comparisonLines(
  compared: LoadComparison,
  { failure }: Pick<Capture, 'failure'>,
  label: string,
): string[] {
  const { same, kept, missing, otherAnswers } = compared;
  const lines = [
    ...missing.map((request) => `  only in the live load: ${request}`),
    ...compared.new.map((request) => `  only in the replay, not recorded: ${request}`),
    ...otherAnswers.map(
      ({ request, live, replayed }) =>
        `  different response: ${request} (live: ${live}; replay: ${replayed})`,
    ),
  ];
  return [
    `Replayed by ${label}: ${countText(same)} of ${countWithNoun(kept, 'recorded request')} repeated with the same response${lines.length === 0 ? ', without any difference' : ''}`,
    ...(failure ? [`  the replay failed: ${failure.message}`] : []),
    ...firstOf(lines, MAX_LINES),
  ];
}
