import type { Har, HarEntry } from './har.ts';
import { mainDocumentOf } from './main-document.ts';
import type { VersionsRecord } from './records.ts';

/** Versions of HTTP of a load's responses, except cached ones. */
export function versionsOf(har: Har): VersionsRecord {
  const came = har.log.entries.filter(
    ({ response, _fromCache }) => response.status > 0 && _fromCache === undefined,
  );
  const byVersion = Map.groupBy(came, ({ response }) => response.httpVersion);
  const document = mainDocumentOf(har)?.entry;
  return {
    document: document && came.includes(document) ? document.response.httpVersion : null,
    responses: Object.fromEntries([...byVersion].map(([version, { length }]) => [version, length])),
    advertisedH3: came.some(({ response }) =>
      response.headers.some(({ name, value }) => /^alt-svc$/i.test(name) && /\bh3=/.test(value)),
    ),
  };
}

/** The first request by HTTP/3 after a response by HTTP/2 from the same host. */
interface ProtocolSwitch {
  entry: HarEntry;
  /** Number of the request in order of start, from 1. */
  request: number;
  /** Since the start of the page. */
  atMs: number;
}

/** Where a load switched from HTTP/2 to HTTP/3; null: nowhere. */
export function findProtocolSwitch(har: Har): ProtocolSwitch | null {
  const [page] = har.log.pages;
  if (page === undefined) return null;
  const byH2 = new Set<string>();
  const sent = har.log.entries.filter(({ _fromCache }) => _fromCache === undefined);
  for (const [index, entry] of sent.entries()) {
    const { host } = new URL(entry.request.url);
    if (entry.response.httpVersion === 'h2') byH2.add(host);
    if (entry.response.httpVersion === 'h3' && byH2.has(host)) {
      const atMs = Date.parse(entry.startedDateTime) - Date.parse(page.startedDateTime);
      return { entry, request: index + 1, atMs };
    }
  }
  return null;
}

/** Adds a comment about the switch to a HAR. */
export function withProtocolSwitch(har: Har): Har {
  const change = findProtocolSwitch(har);
  if (change === null) return har;
  const { entry, request, atMs } = change;
  const said = `from request ${request} on (${entry.request.url}, after ${atMs} ms) by HTTP/3, before by HTTP/2`;
  return {
    log: {
      ...har.log,
      pages: har.log.pages.map((page) => ({ ...page, comment: `${page.comment}; ${said}` })),
      entries: har.log.entries.map((each) =>
        each === entry ? { ...each, _changedOver: true } : each,
      ),
    },
  };
}
