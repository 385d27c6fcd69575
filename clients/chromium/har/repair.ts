import type { ChromeHar, ChromeHarEntry } from 'chrome-har';
import type { Protocol } from 'puppeteer-core';
import { durationOf, toMicroseconds } from '../../har/durations.ts';
import { INCOMPLETE, UNANSWERED } from '../../har/errors.ts';
import type {
  Har,
  HarContent,
  HarEntry,
  HarInitiator,
  HarPair,
  HarPostData,
  HarRequest,
  HarResponse,
  HarSecurityDetails,
  HarTimings,
} from '../../har/har.ts';
import type { LoadDescription } from '../../har/load-description.ts';
import { postDataOf, queryOf } from '../../har/request-parts.ts';
import { headerOf } from './body-counter.ts';
import type { Exchange } from './exchanges.ts';

/**
 * Makes valid HAR 1.2 for DevTools from the output of chrome-har 1.3.1. Each function names the defect that it repairs.
 */
export function repairHar(
  raw: ChromeHar,
  exchanges: readonly Exchange[],
  about: LoadDescription,
): Har {
  const entries = new Map(raw.log.entries.map((entry) => [entry._requestId, entry]));
  return {
    log: {
      version: '1.2',
      // chrome-har names itself as the creator, and no browser.
      creator: {
        name: 'quic-vs-https',
        version: about.creatorVersion,
        comment: `made with ${raw.log.creator.name} ${raw.log.creator.version}`,
      },
      browser: { name: 'Chromium', version: about.browserVersion },
      pages: raw.log.pages.map((page) => ({
        id: page.id,
        startedDateTime: page.startedDateTime,
        title: about.url,
        // chrome-har omits events that did not happen; HAR requires -1.
        pageTimings: {
          onContentLoad: page.pageTimings.onContentLoad ?? -1,
          onLoad: page.pageTimings.onLoad ?? -1,
        },
        comment: `${about.site} from ${about.stack}`,
      })),
      entries: exchanges
        .map((exchange) => ({
          startS: startOf(exchange),
          entry: repairedEntry(entryOf(exchange, entries), exchange),
        }))
        // chrome-har keeps the order of events instead of start times.
        .sort((a, b) => a.startS - b.startS)
        .map(({ entry }) => entry),
      comment: about.comment,
    },
  };
}

/** Entry of an exchange; throws without one, so that no request silently disappears. */
function entryOf(exchange: Exchange, entries: ReadonlyMap<string, ChromeHarEntry>): ChromeHarEntry {
  const entry = entries.get(exchange.id);
  if (entry !== undefined) return entry;
  throw new Error(`chrome-har made no entry of the request for ${exchange.request.request.url}`);
}

function repairedEntry(entry: ChromeHarEntry, exchange: Exchange): HarEntry {
  const { request } = exchange;
  const fromCache = cacheOf(exchange);
  const timings = timingsOf(entry, exchange);
  return {
    pageref: entry.pageref,
    startedDateTime: entry.startedDateTime,
    time: durationOf(timings),
    request: requestOf(entry, exchange),
    response: responseOf(entry, exchange),
    // chrome-har writes empty dates and strings, which violate the schema.
    cache: {},
    timings,
    ...addressOf(entry, exchange),
    _requestId: request.requestId,
    _initiator: initiatorOf(request.initiator),
    _priority: entry._priority,
    ...(entry._initialPriority !== undefined && { _initialPriority: entry._initialPriority }),
    // The events call a preflight `Other`; DevTools recognize it by its initiator.
    _resourceType:
      request.initiator.type === 'preflight' ? 'preflight' : (entry._resourceType ?? 'other'),
    ...(entry._renderBlocking !== undefined && { _renderBlocking: entry._renderBlocking }),
    ...(entry._isLinkPreload && { _isLinkPreload: true }),
    ...(exchange.isRestarted && { _restarted: true as const }),
    ...(fromCache !== null && { _fromCache: fromCache }),
    ...alternateProtocolOf(exchange),
    ...securityDetailsOf(exchange),
    ...(entry._chunks !== undefined && { _chunks: entry._chunks }),
  };
}

function requestOf(entry: ChromeHarEntry, exchange: Exchange): HarRequest {
  const { request } = exchange.request;
  // chrome-har re-encodes the URL by url.parse (| ^ { } ' and more), and groups and reorders query parameters.
  const url = request.url + (request.urlFragment ?? '');
  const postData = bodyOf(entry, exchange);
  return {
    method: entry.request.method,
    url,
    httpVersion: entry.request.httpVersion,
    cookies: entry.request.cookies,
    headers: splitLines(entry.request.headers),
    queryString: queryOf(request.url),
    ...(postData !== null && { postData }),
    headersSize: requestHeadersBytes(exchange),
    bodySize: requestBodyBytes(exchange),
  };
}

/** chrome-har writes JSON and forms as parameters without text, and omits a body without a type. */
function bodyOf(entry: ChromeHarEntry, { request: { request } }: Exchange): HarPostData | null {
  const text =
    request.postData ?? request.postDataEntries?.map(({ bytes }) => decoded(bytes)).join('');
  return postDataOf(entry.request.headers, text ?? '');
}

/** chrome-har counts UTF-16 units, and a body missing from the events as 0. */
function requestBodyBytes({ request: { request } }: Exchange): number {
  if (request.postDataEntries?.length && request.postDataEntries.every(({ bytes }) => bytes)) {
    return request.postDataEntries.reduce(
      (sum, { bytes }) => sum + Buffer.byteLength(bytes ?? '', 'base64'),
      0,
    );
  }
  if (request.postData !== undefined) return Buffer.byteLength(request.postData);
  return request.hasPostData ? -1 : 0;
}

/** chrome-har puts the whole URL into the request line and counts guessed headers as sent. */
function requestHeadersBytes({ request: { request }, response, sentHeaders }: Exchange): number {
  if (sentHeaders === null || !isHttp1(response?.protocol)) return -1;
  const { pathname, search } = new URL(request.url);
  const lines = Object.entries(sentHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.byteLength(
    `${request.method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`,
  );
}

function responseOf(entry: ChromeHarEntry, exchange: Exchange): HarResponse {
  const { response } = exchange;
  const error = errorOf(exchange);
  // Without raw headers, chrome-har counts guessed ones.
  const headersSize =
    isHttp1(response?.protocol) && exchange.received?.headersText !== undefined
      ? entry.response.headersSize
      : -1;
  const transferSize = transferBytes(exchange);
  const bodySize = bodyBytes(exchange, transferSize, headersSize);
  return {
    ...statusOf(entry, exchange),
    httpVersion: entry.response.httpVersion,
    cookies: entry.response.cookies,
    headers: splitLines(entry.response.headers),
    content: contentOf(entry, exchange, bodySize),
    redirectURL: entry.response.redirectURL,
    headersSize,
    bodySize,
    _transferSize: transferSize,
    ...(error !== null && { _error: error }),
    ...(response?.fromServiceWorker && { _fetchedViaServiceWorker: true }),
  };
}

/** chrome-har uses the cached copy's status instead of the 304 that confirmed it. */
function statusOf(
  { response: { status, statusText } }: ChromeHarEntry,
  exchange: Exchange,
): Pick<HarResponse, 'status' | 'statusText'> {
  if (!isNotModified(exchange)) return { status, statusText };
  // Only HTTP/1 has reason phrases.
  return { status: 304, statusText: statusText && 'Not Modified' };
}

function isNotModified({ response, received }: Exchange): boolean {
  return response?.status === 304 || (response !== null && received?.statusCode === 304);
}

/** chrome-har drops failed and unanswered requests, and presents aborted ones as complete. */
function errorOf({ failed, finished, response, redirected }: Exchange): string | null {
  if (failed !== null) {
    const reason = failed.blockedReason ?? failed.corsErrorStatus?.corsError;
    const text = failed.errorText || 'net::ERR_FAILED';
    return reason === undefined ? text : `${text} (${reason})`;
  }
  if (redirected || finished !== null) return null;
  return response === null ? UNANSWERED : INCOMPLETE;
}

/** chrome-har uses only the last event, which says 0 for a preflight and nothing for a failure. */
function transferBytes(exchange: Exchange): number {
  const { response, finished, data } = exchange;
  if (response === null || cacheOf(exchange) !== null) return 0;
  const atResponse = Math.max(0, response.encodedDataLength);
  if (finished !== null) return Math.max(atResponse, finished.encodedDataLength);
  return atResponse + data.reduce((sum, chunk) => sum + Math.max(0, chunk.encodedDataLength), 0);
}

/** chrome-har counts the headers of h2 and h3 as body bytes. */
function bodyBytes(exchange: Exchange, transferSize: number, headersSize: number): number {
  const { request, response, data, finished } = exchange;
  if (response === null || cacheOf(exchange) !== null) return 0;
  if (request.request.method === 'HEAD' || response.status === 204) return 0;
  if (isNotModified(exchange)) return 0;
  if (finished === null && !exchange.redirected) return -1;
  const headers = exchange.received?.headers ?? response.headers;
  const length = headerOf(headers, 'content-length');
  if (length !== null && /^\d+$/.test(length)) return Number(length);
  if (headersSize >= 0) return Math.max(0, transferSize - headersSize);
  return headerOf(headers, 'content-encoding') === null ? decodedBytes(data) : -1;
}

function contentOf(entry: ChromeHarEntry, exchange: Exchange, bodySize: number): HarContent {
  const size = decodedBytes(exchange.data);
  return {
    size,
    ...(bodySize >= 0 &&
      size > bodySize &&
      !isNotModified(exchange) && { compression: size - bodySize }),
    mimeType: entry.response.content.mimeType || 'x-unknown',
  };
}

/**
 * chrome-har omits gaps between phases, so the sum is too small; writes NaN and negative times for responses without timing or
 * that end before their headers; and omits failures.
 */
function timingsOf(entry: ChromeHarEntry, exchange: Exchange): HarTimings {
  const { request, response, responseAtS } = exchange;
  const none = { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 };
  const endS = endOf(exchange);
  if (response === null || responseAtS === null) {
    return { ...none, blocked: milliseconds(endS - request.timestamp) };
  }
  const { timing } = response;
  if (timing === undefined) {
    const answeredS = Math.max(responseAtS, request.timestamp);
    return {
      ...none,
      wait: milliseconds(answeredS - request.timestamp),
      receive: milliseconds(endS - answeredS),
    };
  }
  const { dns, connect, ssl, send, wait, _queued } = entry.timings;
  const headersEndS = timing.requestTime + timing.receiveHeadersEnd / 1000;
  return {
    blocked: toMicroseconds(
      Math.max(0, timing.sendStart - Math.max(0, dns) - Math.max(0, connect)),
    ),
    dns,
    connect,
    ssl,
    send: Math.max(0, send),
    wait: Math.max(0, wait),
    // A redirect's body is not awaited.
    receive: exchange.redirected ? 0 : milliseconds(endS - headersEndS),
    ...(_queued !== undefined && { _queued }),
  };
}

/**
 * chrome-har puts Chromium's connection number into `connection`, where DevTools expect the port; the number has its own
 * field there. Without a connection chrome-har writes 0.
 */
function addressOf(
  entry: ChromeHarEntry,
  { response }: Exchange,
): Pick<HarEntry, 'serverIPAddress' | 'connection' | '_connectionId'> {
  return {
    ...(entry.serverIPAddress && { serverIPAddress: entry.serverIPAddress }),
    ...(response?.remotePort && { connection: String(response.remotePort) }),
    ...(response?.connectionId && { _connectionId: String(response.connectionId) }),
  };
}

/** chrome-har writes the initiator's URL where DevTools expect the whole initiator. */
function initiatorOf(initiator: Protocol.Network.Initiator): HarInitiator {
  const { type, url, lineNumber, columnNumber, requestId, stack } = initiator;
  const known = { url, lineNumber, columnNumber, requestId, stack };
  return {
    type,
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  };
}

/** chrome-har omits whether a response came over QUIC or which TLS. */
function securityDetailsOf({ response }: Exchange): { _securityDetails?: HarSecurityDetails } {
  if (response?.securityDetails === undefined) return {};
  const { protocol, cipher, keyExchange, keyExchangeGroup } = response.securityDetails;
  return {
    _securityDetails: { protocol, cipher, keyExchange, keyExchangeGroup: keyExchangeGroup ?? '' },
  };
}

/** chrome-har omits why a request did or did not use HTTP/3. */
function alternateProtocolOf({ response }: Exchange): Pick<HarEntry, '_alternateProtocolUsage'> {
  const usage = response?.alternateProtocolUsage;
  return usage === undefined || usage === 'unspecifiedReason'
    ? {}
    : { _alternateProtocolUsage: usage };
}

/** chrome-har drops cached responses, or marks them in fields that DevTools do not read. */
function cacheOf({ response, servedFromCache }: Exchange): 'memory' | 'disk' | null {
  if (response?.fromDiskCache) return 'disk';
  return servedFromCache || response?.fromPrefetchCache ? 'memory' : null;
}

/** chrome-har joins repeated headers to one value with several lines. */
function splitLines(headers: readonly HarPair[]): HarPair[] {
  return headers.flatMap(({ name, value }) =>
    value.split('\n').map((line) => ({ name, value: line })),
  );
}

/** When the network stack received the request, or else when the page made it; chrome-har uses the latter for startedDateTime. */
function startOf({ request, response, servedFromCache }: Exchange): number {
  return (servedFromCache ? undefined : response?.timing?.requestTime) ?? request.timestamp;
}

function endOf({ finished, failed, redirected, responseAtS, captureEndS }: Exchange): number {
  if (redirected && responseAtS !== null) return responseAtS;
  return (finished ?? failed)?.timestamp ?? captureEndS;
}

function decodedBytes(data: readonly Protocol.Network.DataReceivedEvent[]): number {
  return data.reduce((sum, { dataLength }) => sum + dataLength, 0);
}

function isHttp1(protocol: string | undefined): boolean {
  return protocol?.toLowerCase().startsWith('http/1.') ?? false;
}

function decoded(base64: string | undefined): string {
  return Buffer.from(base64 ?? '', 'base64').toString('utf8');
}

function milliseconds(seconds: number): number {
  return toMicroseconds(Math.max(0, seconds * 1000));
}
