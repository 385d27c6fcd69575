import { durationOf, toMicroseconds } from '../../har/durations.ts';
import type { Har, HarEntry, HarInitiator, HarPage, HarRequest } from '../../har/har.ts';
import type { LoadDescription } from '../../har/load-description.ts';
import { postDataOf, queryOf } from '../../har/request-parts.ts';
import type { BidiEvent } from '../bidi.ts';
import { type ChannelFacts, TOO_MANY_REQUESTS } from '../channel-facts.ts';
import { cookiesSent, pairsOf } from './header-fields.ts';
import { responseOf } from './response.ts';
import { endMsOf, timingsOf } from './timings.ts';
import { httpVersionOf, priorityOf, resourceTypeOf, securityDetailsOf } from './words.ts';

/** What Firefox reports of a page load. */
export interface FirefoxRecord {
  /** Of WebDriver BiDi, from before the navigation on; only those of `browsingContext` are read. */
  events: readonly BidiEvent[];
  channels: readonly ChannelFacts[];
}

/**
 * Builds the HAR of one page load.
 * @throws Error if Firefox did not report all requests
 */
export function buildFirefoxHar({ events, channels }: FirefoxRecord, about: LoadDescription): Har {
  if (channels.some(({ isCut }) => isCut)) throw new Error(TOO_MANY_REQUESTS);
  const requests = requestsOf(channels);
  const [document] = requests;
  const captureEndMs = Math.max(0, ...requests.map((each) => endMsOf(each, each.openedMs)));
  const ids = connectionIds(requests);
  return {
    log: {
      version: '1.2',
      creator: { name: 'quic-vs-https', version: about.creatorVersion },
      browser: { name: 'Firefox', version: about.browserVersion },
      pages: document ? [pageOf(document.openedMs, events, about)] : [],
      entries: requests.map((each) => entryOf(each, captureEndMs, ids.get(each))),
      comment: about.comment,
    },
  };
}

/** Requests from that for the document on, in order of their start. */
function requestsOf(channels: readonly ChannelFacts[]): ChannelFacts[] {
  const requests = channels
    .filter(({ url }) => /^https?:/.test(url))
    // Redirects inside the browser, as from http to https.
    .filter(({ status, error }) => status > 0 || error !== 'NS_BINDING_REDIRECTED')
    .toSorted((a, b) => a.openedMs - b.openedMs);
  return requests.slice(
    Math.max(
      0,
      requests.findIndex(({ purpose }) => purpose === 'DOCUMENT'),
    ),
  );
}

const PAGE_ID = 'page_1';

function pageOf(
  startMs: number,
  events: readonly BidiEvent[],
  { site, stack, url }: LoadDescription,
): HarPage {
  const navigations = events
    .filter(({ method }) => method.startsWith('browsingContext.'))
    .map(({ method, params }) => ({ method, ...(params as NavigationParams) }));
  // Frames navigate after the page.
  const page = navigations.find(({ method }) => method === 'browsingContext.navigationStarted');
  // Earlier events belong to about:blank. Their clock has a resolution of 1 ms.
  const own = navigations.filter(
    ({ context, timestamp }) => context === page?.context && timestamp >= Math.floor(startMs),
  );
  const load = own.find(({ method }) => method === 'browsingContext.load');
  // A page whose script navigates away may have one of its own.
  const parsed = own.findLast(
    ({ method, timestamp }) =>
      method === 'browsingContext.domContentLoaded' &&
      timestamp <= (load?.timestamp ?? Number.POSITIVE_INFINITY),
  );
  const timeOf = (event: NavigationParams | undefined) =>
    event ? toMicroseconds(Math.max(0, event.timestamp - startMs)) : -1;
  return {
    id: PAGE_ID,
    startedDateTime: isoOf(startMs),
    title: url,
    pageTimings: { onContentLoad: timeOf(parsed), onLoad: timeOf(load) },
    comment: `${site} from ${stack}`,
  };
}

interface NavigationParams {
  context: string;
  timestamp: number;
}

function entryOf(
  facts: ChannelFacts,
  captureEndMs: number,
  connectionId: string | undefined,
): HarEntry {
  const timings = timingsOf(facts, captureEndMs);
  const { connection, cache } = facts;
  return {
    pageref: PAGE_ID,
    startedDateTime: isoOf(facts.openedMs),
    time: durationOf(timings),
    request: requestOf(facts),
    response: responseOf(facts),
    cache: {},
    timings,
    ...(connectionId !== undefined && {
      serverIPAddress: connection?.address,
      connection: String(connection?.port),
      _connectionId: connectionId,
    }),
    _requestId: String(facts.firstId),
    _initiator: initiatorOf(facts),
    _priority: priorityOf(facts),
    _resourceType: resourceTypeOf(facts),
    ...(cache && { _fromCache: cache }),
    ...securityDetailsOf(facts),
  };
}

function requestOf(facts: ChannelFacts): HarRequest {
  const { url, method, requestBytes, requestBody } = facts;
  const headers = pairsOf(facts.requestHeaders);
  const httpVersion = httpVersionOf(facts);
  const bodySize = requestBody === null ? 0 : (requestBody.bytes ?? -1);
  const postData = postDataOf(headers, requestBody?.text ?? '');
  // Firefox counts headers uncompressed.
  const isCounted = httpVersion.startsWith('http/') && requestBytes > 0 && bodySize >= 0;
  return {
    method,
    url,
    httpVersion,
    cookies: cookiesSent(headers),
    headers,
    queryString: queryOf(url),
    ...(postData && { postData }),
    headersSize: isCounted ? requestBytes - bodySize : -1,
    bodySize,
  };
}

const BY_SCRIPT = ['FETCH', 'XMLHTTPREQUEST', 'BEACON', 'PING', 'WEBSOCKET'];

function initiatorOf(facts: ChannelFacts): HarInitiator {
  const { purpose, initiatorUrl } = facts;
  if (purpose === 'DOCUMENT' || initiatorUrl === '') return { type: 'other' };
  if (resourceTypeOf(facts) === 'preflight') return { type: 'preflight', url: initiatorUrl };
  // Elements that a script adds count too.
  return { type: BY_SCRIPT.includes(purpose) ? 'script' : 'parser', url: initiatorUrl };
}

/**
 * Local ports of the requests with a response from the network: captures of packets have them too. A number follows a port that
 * two connections share, which have different servers or transports.
 */
function connectionIds(requests: readonly ChannelFacts[]): Map<ChannelFacts, string> {
  const sharing = new Map<number, string[]>();
  const ids = new Map<ChannelFacts, string>();
  for (const facts of requests) {
    const { connection, status, cache, version } = facts;
    if (connection === null || status === 0 || cache !== null) continue;
    const { localPort, address, port } = connection;
    const remote = `${version === '3.0' ? 'udp' : 'tcp'} ${address} ${port}`;
    const remotes = sharing.get(localPort) ?? [];
    sharing.set(localPort, remotes);
    if (!remotes.includes(remote)) remotes.push(remote);
    const number = remotes.indexOf(remote);
    ids.set(facts, number === 0 ? String(localPort) : `${localPort}-${number + 1}`);
  }
  return ids;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
