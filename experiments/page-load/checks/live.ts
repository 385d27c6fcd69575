import { isBroken } from '../../../clients/har/errors.ts';
import { mainDocumentOf } from '../../../clients/har/main-document.ts';
import { hasWholeResponse } from '../../../clients/har/whole-response.ts';
import { isOverQuic, type Protocol } from '../../../ground/records/protocol.ts';
import { quicHostOf } from '../../../ground/records/quic-host.ts';
import type { CommonExpected, CommonObserved, Problem } from '../../checks.ts';
import type { Observed } from './check.ts';
import { answeredEntries, isNotFavicon, keyOf } from './requests.ts';

export type LiveObserved = Pick<Observed, 'har'> & CommonObserved;

export interface LiveExpected extends CommonExpected {
  protocol: Protocol;
  /** `host:port` of the hosts with forced QUIC. */
  quicHosts: readonly string[];
}

/** Returns a live load's problem; null: no problem. */
export type LiveCheck = (observed: LiveObserved, expected: LiveExpected) => Problem | null;

/** The document is an error page, as servers send to clients with too many requests. */
export function errorPage({ har }: LiveObserved): Problem | null {
  const document = mainDocumentOf(har)?.entry;
  if (!document || document.response.status < 400) return null;
  return {
    code: 'wrong-status',
    message: `The page came with status ${document.response.status}: ${document.request.url}.`,
  };
}

/**
 * The document came by another version of HTTP than the arm's; or a response came by QUIC in a load over TCP, or over TCP
 * from a host with forced QUIC.
 */
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
    message: `${other.length} of ${came.length} responses came by another version of HTTP than expected in a load by ${protocol}: ${first.request.url} came by ${first.response.httpVersion}.`,
  };
}

/**
 * A host with forced QUIC sent no complete response. Without force Chromium would have retried over TCP, and a load with
 * fewer responses is faster.
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
      isBroken(entry.response._error),
  );
  const [first] = failed;
  if (!first) return null;
  return {
    code: 'request-failed',
    message: `${failed.length} of ${har.log.entries.length} requests have no complete response from hosts with forced QUIC: ${first.request.url} (${first.response._error ?? 'no response'}).`,
  };
}

/** The document's connection existed before the load. */
export function connectedBefore({ har }: LiveObserved): Problem | null {
  const document = mainDocumentOf(har);
  if (document === null || document.connectMs !== null) return null;
  return {
    code: 'connection-kept',
    message: `No connection was made for ${document.entry.request.url}: it existed before the load.`,
  };
}
