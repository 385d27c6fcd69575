import type { Har, HarEntry, HarResponse } from '../../clients/har/har.ts';
import { mainDocumentOf } from '../../clients/har/main-document.ts';
import { hasWholeResponse } from '../../clients/har/whole-response.ts';
import { quicHostOf } from '../../ground/records/quic-host.ts';
import type { LivePageFacts } from '../measuring.ts';
import { isNotFavicon, keyOf } from './checks/requests.ts';
import { type LiveDetails, MOST_REQUESTS } from './live-record.ts';

export function liveDetailsOf(har: Har, { quicHosts, withoutQuic }: LivePageFacts): LiveDetails {
  const sent = har.log.entries.filter(({ _fromCache }) => _fromCache === undefined);
  const came = sent.filter(hasWholeResponse);
  const byHost = Map.groupBy(came.filter(isHttps), ({ request }) => quicHostOf(request.url));
  const wanted = sent.filter(({ request }) => isNotFavicon(keyOf(request)));
  const byRequest = Map.groupBy(wanted.filter(hasWholeResponse), requestOf);
  return {
    url: mainDocumentOf(har)?.entry.request.url ?? har.log.pages[0]?.title ?? '',
    hosts: [...byHost].map(([host, own]) => ({
      host,
      quic: quicHosts.includes(host),
      whyNot: withoutQuic[host] ?? null,
      announced: own.some((entry) => /\bh3=/.test(headerOf(entry, 'alt-svc') ?? '')),
      versions: Object.fromEntries(
        [...Map.groupBy(own, ({ response }) => response.httpVersion)].map(
          ([version, { length }]) => [version, length],
        ),
      ),
      bytes: sumOf(own, ({ _transferSize }) => _transferSize),
      address: own[0]?.serverIPAddress ?? null,
      server: headerOf(own[0], 'server'),
      connectMs: own.find(({ timings }) => timings.connect >= 0)?.timings.connect ?? null,
    })),
    requests: Object.fromEntries(
      [...byRequest]
        .slice(0, MOST_REQUESTS)
        .map(([request, own]) => [
          request,
          { count: own.length, bytes: sumOf(own, ({ content }) => content.size) },
        ]),
    ),
    requestsCut: byRequest.size > MOST_REQUESTS,
    failed: [...new Set(wanted.filter((entry) => !hasWholeResponse(entry)).map(requestOf))].slice(
      0,
      MOST_REQUESTS,
    ),
  };
}

/** Method and URL without the query, which may change with each load. */
function requestOf({ request }: HarEntry): string {
  return `${request.method} ${request.url.replace(/[?#].*$/, '')}`;
}

function isHttps({ request }: HarEntry): boolean {
  return request.url.startsWith('https:');
}

function sumOf(entries: readonly HarEntry[], of: (response: HarResponse) => number): number {
  return entries.reduce((sum, { response }) => sum + of(response), 0);
}

function headerOf(entry: HarEntry | undefined, wanted: string): string | null {
  const header = entry?.response.headers.find(({ name }) => name.toLowerCase() === wanted);
  return header?.value ?? null;
}
