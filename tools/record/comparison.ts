import { createHash } from 'node:crypto';
import { cacheUrl } from '../../cache/importers/file-url.ts';
import { redirectsToItself } from '../../cache/importers/navigation.ts';
import type { SiteManifest } from '../../cache/manifest.ts';
import type { RecordedExchange } from '../../cache/recording.ts';
import { firstOf } from '../../cache/site-lines.ts';
import { countText, countWithNoun } from '../../kit/text/number.ts';
import type { Capture } from './capture.ts';

/** What a replay did otherwise than the live load. Requests are named by method and URL, all as https and without port. */
interface LoadComparison {
  /** Requests of both loads whose answers are the same: status, and every byte of the body as sent. */
  same: number;
  /** Requests of the live load that were kept. */
  kept: number;
  /** Kept, and not asked for at the replay. */
  notAskedFor: string[];
  /** Asked for at the replay alone. */
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

/** The answers to each request in their order; the cache keeps the first, and with bounces as many more. */
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

/** A status and a body; 206 with the whole body is kept as 200. */
function answerOf({ status, body }: RecordedExchange): { key: string; text: string } {
  const bytes = body ?? new Uint8Array();
  const digest = createHash('sha256').update(bytes).digest('hex');
  return {
    key: `${status === 206 ? 200 : status} ${digest}`,
    text: `status ${status}, ${countText(bytes.length)} bytes`,
  };
}

/** More of a kind than these say nothing that the first ones do not. */
const MAX_LINES = 50;

export function comparisonLines(
  compared: LoadComparison,
  { failure }: Pick<Capture, 'failure'>,
  label: string,
): string[] {
  const { same, kept, notAskedFor, otherAnswers } = compared;
  const lines = [
    ...notAskedFor.map((request) => `  not asked for again: ${request}`),
    ...compared.new.map((request) => `  asked for only now, and not recorded: ${request}`),
    ...otherAnswers.map(
      ({ request, live, replayed }) =>
        `  another answer: ${request} (live ${live}; now ${replayed})`,
    ),
  ];
  return [
    `Replayed by ${label}: ${countText(same)} of ${countWithNoun(kept, 'recorded request')} asked for again with the same answer${lines.length === 0 ? ', and no others' : ''}`,
    ...(failure ? [`  the replay failed: ${failure.message}`] : []),
    ...firstOf(lines, MAX_LINES),
  ];
}
