import type { Har, HarEntry } from '../../../clients/har/har.ts';
import { mainDocumentOf } from '../../../clients/har/main-document.ts';
import { hasEarlierLoad, returnVisits } from '../../../clients/visit-kind.ts';
import type { ConnectionRecord } from '../../../ground/records/connection.ts';
import { offersBoth } from '../../../ground/records/protocol.ts';
import type { Problem } from '../../checks.ts';
import { type Expected, type Observed, protocolOf } from './check.ts';
import { keyOf } from './requests.ts';

/** The browser had more or less of the site than the kind of visit allows. */
export function wrongVisit(observed: Observed, expected: Expected): Problem | null {
  const { visit } = expected;
  const usesCache = visit === 'repeat' || visit === 'reload';
  const [firstCached] = cachedBeforeTheLoad(observed.har);
  if (!usesCache && firstCached) return fromCache(observed);
  const document = mainDocumentOf(observed.har)?.entry;
  if (visit === 'reload' && document?._fromCache !== undefined) {
    return {
      code: 'from-cache',
      message: `The main document came out of the browser's cache; a reload requests it from the server.`,
    };
  }
  // A reload always requests the document, even from a filled cache.
  const revalidated = visit === 'reload' ? document : undefined;
  const fetchedAgain = usesCache && !firstCached ? cacheable(observed.har, revalidated) : undefined;
  if (fetchedAgain) {
    return {
      code: 'nothing-cached',
      message: `A ${visit} visit found nothing in the cache, not even ${fetchedAgain.request.url}.`,
    };
  }
  if (keepsConnections(expected)) return null;
  const { connections } = observed;
  if (!connections?.whole) {
    return {
      code: 'handshakes-unknown',
      message: `The path did not observe every packet of the handshakes, so it is unknown whether the load was ${visit === 'reload' ? 'made over new connections' : visit}.`,
    };
  }
  const made = new Set(connections.opened.map(({ address }) => address.replace(/:\d+$/, '')));
  const kept = serversOf(observed.har).find((address) => !made.has(address));
  if (kept) {
    return {
      code: 'connection-kept',
      message: `Requests went to ${kept} without a handshake on the path: the connection existed before the load.`,
    };
  }
  // These visits may have tickets, but need not.
  if (visit === 'repeat' || returnVisits(visit) > 0) return null;
  return visit === 'resumed' ? notResumed(connections.opened) : notCold(connections.opened);
}

/** A response came from the browser's cache of before the load. */
export function fromCache({ har }: Pick<Observed, 'har'>): Problem | null {
  const cached = cachedBeforeTheLoad(har);
  const [first] = cached;
  if (!first) return null;
  return {
    code: 'from-cache',
    message: `${cached.length} responses came out of the browser's cache: ${first.request.url}.`,
  };
}

/** Reloads use the connections of the first load, except by HTTP/1.0, which has one for each request. */
function keepsConnections({ visit, protocol }: Expected): boolean {
  return visit === 'reload' && protocol !== 'http/1.0';
}

/** Cached responses that the load did not fetch itself. */
function cachedBeforeTheLoad(har: Har): HarEntry[] {
  const fetched = new Set<string>();
  return har.log.entries.filter((entry) => {
    const key = keyOf(entry.request);
    if (entry._fromCache === undefined) fetched.add(key);
    return entry._fromCache !== undefined && !fetched.has(key);
  });
}

/** A response that the cache would have kept from an earlier load. */
function cacheable(har: Har, except: HarEntry | undefined): HarEntry | undefined {
  return har.log.entries.find((entry) => {
    if (entry === except) return false;
    const { request, response } = entry;
    const control = response.headers.find(({ name }) => name.toLowerCase() === 'cache-control');
    const kept = /max-age=[1-9]/.test(control?.value ?? '');
    const barred = /no-store|no-cache/.test(control?.value ?? '');
    return request.method === 'GET' && response.status === 200 && kept && !barred;
  });
}

/** Browsers resume sessions of the same load on any visit. Only a ticket from before the load shows that it was not cold. */
function notCold(connections: readonly ConnectionRecord[]): Problem | null {
  const foreign = connections.filter((each) => hasForeignTicket(each, connections));
  const early = foreign.find(({ offered }) => offered === 'early-data');
  if (early) {
    return {
      code: 'early-data',
      message: `A connection to ${early.host} sent requests along with its handshake (0-RTT, ${early.earlyData}), by a ticket from before this load.`,
    };
  }
  const [resumed] = foreign;
  if (!resumed) return null;
  return {
    code: 'resumed',
    message: `A connection to ${resumed.host} offered a session ticket from before this load.`,
  };
}

/**
 * Whether a connection offered a ticket from before these connections: no full handshake with the same host over the same
 * transport was answered before its ClientHello. The ClientHellos count, not the SYNs: after the loss of a SYN or SYN-ACK, the
 * browser's second connection may be ready first, and the first one resumes its session.
 */
function hasForeignTicket(
  { host, address, transport, offered, clientHelloMs }: ConnectionRecord,
  connections: readonly ConnectionRecord[],
): boolean {
  if (offered === 'full') return false;
  return !connections.some(
    (other) =>
      other.transport === transport &&
      (host === null ? other.address === address : other.host === host) &&
      other.handshake === 'full' &&
      (other.serverHelloMs ?? Number.POSITIVE_INFINITY) < (clientHelloMs ?? 0),
  );
}

function notResumed(connections: readonly ConnectionRecord[]): Problem | null {
  const full = firstOfEachHost(connections).find(({ handshake }) => handshake === 'full');
  if (!full) return null;
  return {
    code: 'not-resumed',
    message: `The first connection to ${full.host} made a full handshake, expected a resumed one.`,
  };
}

/** Addresses of servers that sent responses: hosts at one address share connections. */
function serversOf(har: Har): string[] {
  const sent = har.log.entries.filter(({ _fromCache }) => _fromCache === undefined);
  return sent.flatMap(({ serverIPAddress }) => serverIPAddress ?? []);
}

/** Each host's connection with the first ClientHello: it uses the ticket, even if another began earlier. */
function firstOfEachHost(connections: readonly ConnectionRecord[]): ConnectionRecord[] {
  const made = connections
    .filter(({ handshake }) => handshake !== null)
    .toSorted((a, b) => (a.clientHelloMs ?? 0) - (b.clientHelloMs ?? 0));
  return [...Map.groupBy(made, ({ host }) => host).values()].flatMap(([first]) => first ?? []);
}

/** Round trips of a full handshake before a request can leave: 1 for QUIC; 1 for TCP, and 1 or 2 more for TLS. */
function fullRoundTrips(protocol: string, tlsVersion: string | undefined): number {
  if (protocol === 'h3') return 1;
  // Chromium uses False Start (RFC 7918) with TLS 1.2 only after ALPN, which has no HTTP/1.0.
  const waitsForTls12 = protocol === 'http/1.0' && tlsVersion === 'TLS 1.2';
  return waitsForTls12 ? 3 : 2;
}

/** Share of the least set-up time that suffices, because of the clock's resolution. */
const LEAST_SHARE = 0.9;

/** The main document's connection existed before the load, or was set up faster than the path permits. */
export function noHandshake(observed: Observed, expected: Expected): Problem | null {
  const { network, visit } = expected;
  if (keepsConnections(expected)) return null;
  const document = mainDocumentOf(observed.har);
  const { host } = new URL(document?.entry.request.url ?? expected.manifest.url);
  const protocol = protocolOf(host, expected);
  if (visit === 'repeat' && document?.entry._fromCache !== undefined) return null;
  // Chromium does not report the connection set-up of a restarted request; the path observed its handshake.
  if (document?.entry._restarted && openedConnectionFor(document.entry, observed)) return null;
  // A connection opened ahead of the request, or kept from before, has no connect phase.
  const connectMs = document?.connectMs ?? null;
  const full = !hasEarlierLoad(visit) || visit === 'reload';
  const spoken = offersBoth(protocol) ? document?.entry.response.httpVersion : protocol;
  const early = !full && sentEarlyData(observed);
  // Firefox reports no connection set-up of a request that was sent as early data; the path observed its handshake.
  if (early && document && openedConnectionFor(document.entry, observed)) return null;
  const resumedRoundTrips = early ? 0 : 1;
  const roundTrips = full
    ? fullRoundTrips(spoken ?? protocol, document?.entry._securityDetails?.protocol)
    : resumedRoundTrips;
  const savedRoundTrips = expected.handshake === 'one round trip less' ? 1 : 0;
  const leastRoundTrips = Math.max(0, roundTrips - savedRoundTrips);
  const leastMs = leastRoundTrips * Math.max(0, network.rttMs - 2 * network.jitterMs) * LEAST_SHARE;
  if (connectMs !== null && (connectMs > 0 || early) && connectMs >= leastMs) return null;
  return {
    code: 'no-handshake',
    message: `The main document's request has no complete connection set-up (connect: ${connectMs?.toFixed(1) ?? 'none'}, expected at least ${leastMs.toFixed(1)} ms).`,
  };
}

function openedConnectionFor({ request }: HarEntry, { connections }: Observed): boolean {
  const { host } = new URL(request.url);
  return connections?.opened.some((each) => each.host === host && each.handshake !== null) ?? false;
}

function sentEarlyData({ connections }: Observed): boolean {
  return connections?.opened.some(({ offered }) => offered === 'early-data') ?? false;
}

/** A reload's main document needed a new connection, although the server keeps those of the first load. */
export function connectionNotKept(observed: Observed, expected: Expected): Problem | null {
  if (!keepsConnections(expected)) return null;
  const { har, connections } = observed;
  const document = mainDocumentOf(har);
  if (document && document.connectMs === null) return null;
  // A connection that lost a race seems new at its first use, with a duration of 0. Only handshakes with early data take no time.
  const isEarly = connections?.opened.some(({ offered }) => offered === 'early-data');
  if (document?.connectMs === 0 && connections?.whole && !isEarly) return null;
  return {
    code: 'connection-not-kept',
    message: `The main document of a reload came over a new connection (connect: ${document?.connectMs?.toFixed(1) ?? 'unknown'} ms), expected one of the first load.`,
  };
}
