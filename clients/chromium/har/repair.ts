import type { ChromeHar, ChromeHarEntry } from 'chrome-har';
import type { Protocol } from 'puppeteer-core';
import { headerOf } from './body-counter.ts';
import type { Exchange } from './exchanges.ts';
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
} from './har.ts';
import type { LoadDescription } from './load-description.ts';

/**
 * Makes HAR 1.2 that opens in DevTools of what chrome-har 1.3.1 wrote from messages.ts.
 * Each function below says which defect of chrome-har it repairs; clients/chromium/test/unit/har/ has a test for each.
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
      // chrome-har names itself as the creator and no browser at all.
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
        // chrome-har leaves out what did not happen; HAR has -1 for it.
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
        // chrome-har keeps the order of the events, which is not that of the starts it writes.
        .sort((a, b) => a.startS - b.startS)
        .map(({ entry }) => entry),
      comment: about.comment,
    },
  };
}

/** A request must never vanish from a HAR without a word. */
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
    time: sumOf(timings),
    request: requestOf(entry, exchange),
    response: responseOf(entry, exchange),
    // chrome-har describes the cache's entry with empty dates and strings, which break the schema.
    cache: {},
    timings,
    ...addressOf(entry, exchange),
    _requestId: request.requestId,
    _initiator: initiatorOf(request.initiator),
    _priority: entry._priority,
    ...(entry._initialPriority !== undefined && { _initialPriority: entry._initialPriority }),
    // A preflight is `Other` in the events; the DevTools know it by its initiator.
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
  // chrome-har takes the URL apart with url.parse and together again, which encodes it differently
  // (| ^ { } ' and more), and it groups and reorders the parameters of the query.
  const url = request.url + (request.urlFragment ?? '');
  const queryString = [...new URL(request.url).searchParams].map(([name, value]) => ({
    name,
    value,
  }));
  const postData = postDataOf(entry, exchange);
  return {
    method: entry.request.method,
    url,
    httpVersion: entry.request.httpVersion,
    cookies: entry.request.cookies,
    headers: splitLines(entry.request.headers),
    queryString,
    ...(postData !== null && { postData }),
    headersSize: requestHeadersBytes(exchange),
    bodySize: requestBodyBytes(exchange),
  };
}

/** chrome-har writes JSON and forms as parameters without their text, and nothing of a body without a type. */
function postDataOf(entry: ChromeHarEntry, { request: { request } }: Exchange): HarPostData | null {
  const text =
    request.postData ?? request.postDataEntries?.map(({ bytes }) => decoded(bytes)).join('');
  if (text === undefined || text === '') return null;
  const type = entry.request.headers.find(({ name }) => name.toLowerCase() === 'content-type');
  const mimeType = type?.value ?? 'application/octet-stream';
  if (!/^application\/x-www-form-urlencoded/i.test(mimeType)) return { mimeType, text };
  const params = [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }));
  return { mimeType, text, params };
}

/** chrome-har counts UTF-16 units; a body that the events do not hold counts as none. */
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

/** chrome-har puts the whole URL into the request line and counts guessed headers as if they had been sent. */
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
  // Without the text of the headers chrome-har counts headers that it guessed.
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

/** chrome-har takes the status of the copy in the cache for that of the answer which says that the copy is still good. */
function statusOf(
  { response: { status, statusText } }: ChromeHarEntry,
  exchange: Exchange,
): Pick<HarResponse, 'status' | 'statusText'> {
  if (!isNotModified(exchange)) return { status, statusText };
  // Only HTTP/1 has words for it.
  return { status: 304, statusText: statusText && 'Not Modified' };
}

function isNotModified({ response, received }: Exchange): boolean {
  return response?.status === 304 || (response !== null && received?.statusCode === 304);
}

/** The error of a response of which Chromium reported no end. */
export const INCOMPLETE = 'not complete when the capture ended';

/** chrome-har drops failed and unanswered requests, and finishes aborted ones as if nothing had happened. */
function errorOf({ failed, finished, response, redirected }: Exchange): string | null {
  if (failed !== null) {
    const reason = failed.blockedReason ?? failed.corsErrorStatus?.corsError;
    const text = failed.errorText || 'net::ERR_FAILED';
    return reason === undefined ? text : `${text} (${reason})`;
  }
  if (redirected || finished !== null) return null;
  return response === null ? 'no response when the capture ended' : INCOMPLETE;
}

/** chrome-har trusts the last event alone, which says 0 for a preflight and nothing for a failure. */
function transferBytes(exchange: Exchange): number {
  const { response, finished, data } = exchange;
  if (response === null || cacheOf(exchange) !== null) return 0;
  const atResponse = Math.max(0, response.encodedDataLength);
  if (finished !== null) return Math.max(atResponse, finished.encodedDataLength);
  return atResponse + data.reduce((sum, chunk) => sum + Math.max(0, chunk.encodedDataLength), 0);
}

/** chrome-har counts the headers of h2 and h3 as part of the body. */
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
 * chrome-har leaves out the time between two phases, so that the sum is less than the time that passed; has NaN and
 * negative times where a response brings no timing or ends before its headers; and has nothing for failures.
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
    blocked: rounded(Math.max(0, timing.sendStart - Math.max(0, dns) - Math.max(0, connect))),
    dns,
    connect,
    ssl,
    send: Math.max(0, send),
    wait: Math.max(0, wait),
    // A redirect has no body that was waited for.
    receive: exchange.redirected ? 0 : milliseconds(endS - headersEndS),
    ...(_queued !== undefined && { _queued }),
  };
}

/** The phases that follow one another; ssl lies inside connect. */
function sumOf({ blocked, dns, connect, send, wait, receive }: HarTimings): number {
  const phases = [blocked, dns, connect, send, wait, receive];
  return rounded(phases.reduce((sum, phase) => sum + Math.max(0, phase), 0));
}

/**
 * chrome-har puts Chromium's number of the connection into `connection`, where the DevTools expect the port; the number
 * has a field of its own there. Where nothing was connected it writes connection 0.
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

/** chrome-har writes the initiator's URL where the DevTools expect the whole initiator. */
function initiatorOf(initiator: Protocol.Network.Initiator): HarInitiator {
  const { type, url, lineNumber, columnNumber, requestId, stack } = initiator;
  const known = { url, lineNumber, columnNumber, requestId, stack };
  return {
    type,
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  };
}

/** chrome-har leaves out what says whether a response came over QUIC or which TLS. */
function securityDetailsOf({ response }: Exchange): { _securityDetails?: HarSecurityDetails } {
  if (response?.securityDetails === undefined) return {};
  const { protocol, cipher, keyExchange, keyExchangeGroup } = response.securityDetails;
  return {
    _securityDetails: { protocol, cipher, keyExchange, keyExchangeGroup: keyExchangeGroup ?? '' },
  };
}

/** chrome-har leaves out why a request went by HTTP/3, or did not. */
function alternateProtocolOf({ response }: Exchange): Pick<HarEntry, '_alternateProtocolUsage'> {
  const usage = response?.alternateProtocolUsage;
  return usage === undefined || usage === 'unspecifiedReason'
    ? {}
    : { _alternateProtocolUsage: usage };
}

/** chrome-har drops what came from a cache, or mentions it in fields that the DevTools do not read. */
function cacheOf({ response, servedFromCache }: Exchange): 'memory' | 'disk' | null {
  if (response?.fromDiskCache) return 'disk';
  return servedFromCache || response?.fromPrefetchCache ? 'memory' : null;
}

/** chrome-har leaves headers that came more than once as one value of several lines. */
function splitLines(headers: readonly HarPair[]): HarPair[] {
  return headers.flatMap(({ name, value }) =>
    value.split('\n').map((line) => ({ name, value: line })),
  );
}

/** When the network stack took the request, else when it was made; chrome-har writes the same as startedDateTime. */
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
  return rounded(Math.max(0, seconds * 1000));
}

/** To the microsecond, which is what the events resolve; hides the noise of adding. */
function rounded(ms: number): number {
  return Number(ms.toFixed(3));
}
