import { mainDocumentOf } from '../../../clients/chromium/har/main-document.ts';
import { hasWholeResponse } from '../../../clients/chromium/har/whole-response.ts';
import { isOverQuic, type Protocol } from '../../../ground/records/protocol.ts';
import { quicHostOf } from '../../../ground/records/quic-host.ts';
import type { CommonExpected, CommonObserved, Problem } from '../../checks.ts';
import type { Observed } from './check.ts';
import { answeredEntries, isNotFavicon, keyOf } from './requests.ts';

/** What is seen of a load of a page of the live web. */
export type LiveObserved = Pick<Observed, 'har'> & CommonObserved;

/** What such a load was to be. */
export interface LiveExpected extends CommonExpected {
  protocol: Protocol;
  /** `host:port` of those that QUIC was forced on. */
  quicHosts: readonly string[];
}

/** Checks a load of a page of the live web; null: nothing is wrong. */
export type LiveCheck = (observed: LiveObserved, expected: LiveExpected) => Problem | null;

/** An answer that says that there is no page: servers refuse those who come too often. */
export function errorPage({ har }: LiveObserved): Problem | null {
  const document = mainDocumentOf(har)?.entry;
  if (!document || document.response.status < 400) return null;
  return {
    code: 'wrong-status',
    message: `The page came with status ${document.response.status}: ${document.request.url}.`,
  };
}

/** A document by another version of HTTP than the one compared, or anything that came by QUIC where none was to, or over TCP where QUIC was forced. */
export function otherVersion(
  { har }: LiveObserved,
  { protocol, quicHosts }: LiveExpected,
): Problem | null {
  const document = mainDocumentOf(har)?.entry;
  const overQuic = isOverQuic(protocol);
  const forced = new Set(quicHosts);
  const came = answeredEntries(har).filter(
    ({ request, _fromCache }) => _fromCache === undefined && request.url.startsWith('https:'),
  );
  const other = came.filter((entry) => {
    const byH3 = entry.response.httpVersion === 'h3';
    if (entry === document) return entry.response.httpVersion !== protocol;
    return overQuic ? forced.has(quicHostOf(entry.request.url)) && !byH3 : byH3;
  });
  const [first] = other;
  if (!first) return null;
  return {
    code: 'wrong-protocol',
    message: `${other.length} of ${came.length} responses came by another version of HTTP than a load by ${protocol} was to: ${first.request.url} came by ${first.response.httpVersion}.`,
  };
}

/**
 * A request that got no whole response from a host that QUIC was forced on: a Chromium that is left to itself would have asked again
 * over TCP, and a load with less in it is a faster one.
 */
export function forcedRequestFailed(
  { har }: LiveObserved,
  { protocol, quicHosts }: LiveExpected,
): Problem | null {
  if (!isOverQuic(protocol)) return null;
  const failed = har.log.entries.filter(
    (entry) =>
      entry.request.url.startsWith('https:') &&
      quicHosts.includes(quicHostOf(entry.request.url)) &&
      isNotFavicon(keyOf(entry.request)) &&
      !hasWholeResponse(entry) &&
      BROKEN.test(entry.response._error ?? ''),
  );
  const [first] = failed;
  if (!first) return null;
  return {
    code: 'request-failed',
    message: `Not arrived, or only in part: ${failed.length} of ${har.log.entries.length} requests, of hosts that QUIC was forced on. ${first.request.url} (${first.response._error ?? 'no response'}).`,
  };
}

/** What pages give up, may not see, or have under way for ever is not: it is so by any version of HTTP. */
const BROKEN = /^net::ERR_(?!ABORTED|BLOCKED_BY_)\w+$/;

/** A document for which no connection was made: it was there before the load. */
export function connectedBefore({ har }: LiveObserved): Problem | null {
  const document = mainDocumentOf(har);
  if (document === null || document.connectMs !== null) return null;
  return {
    code: 'connection-kept',
    message: `No connection was made for ${document.entry.request.url}: it was there before the load.`,
  };
}
