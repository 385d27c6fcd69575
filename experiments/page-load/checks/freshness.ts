import type { Har, HarEntry } from '../../../clients/chromium/har/har.ts';
import { mainDocumentOf } from '../../../clients/chromium/har/main-document.ts';
import { hasEarlierLoad, returnVisits } from '../../../clients/chromium/visit-kind.ts';
import type { ConnectionRecord } from '../../../ground/records/connection.ts';
import { offersBoth } from '../../../ground/records/protocol.ts';
import type { Problem } from '../../checks.ts';
import type { Expected, Observed } from './check.ts';
import { keyOf } from './requests.ts';

/** A load that knew more of the site, or less, than its kind of visit allows. */
export function wrongVisit(observed: Observed, expected: Expected): Problem | null {
  const { visit } = expected;
  const usesCache = visit === 'repeat' || visit === 'reload';
  const [firstCached] = cachedBeforeTheLoad(observed.har);
  if (!usesCache && firstCached) return fromCache(observed);
  const document = mainDocumentOf(observed.har)?.entry;
  if (visit === 'reload' && document?._fromCache !== undefined) {
    return {
      code: 'from-cache',
      message: `The main document came out of the browser's cache; a reload asks the server for it.`,
    };
  }
  // What a reload asks for in any case says nothing about the cache.
  const askedAgain = visit === 'reload' ? document : undefined;
  const fetchedAgain = usesCache && !firstCached ? cacheable(observed.har, askedAgain) : undefined;
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
      message: `Not every packet of the handshakes was seen on the path, so it is unknown whether the load was ${visit === 'reload' ? 'made over new connections' : visit}.`,
    };
  }
  const made = new Set(connections.opened.map(({ address }) => address.replace(/:\d+$/, '')));
  const kept = serversOf(observed.har).find((address) => !made.has(address));
  if (kept) {
    return {
      code: 'connection-kept',
      message: `Requests went to ${kept}, and no handshake with it was seen on the path: the connection was there before the load.`,
    };
  }
  // These may well have tickets, and need not.
  if (visit === 'repeat' || returnVisits(visit) > 0) return null;
  return visit === 'resumed' ? notResumed(connections.opened) : notCold(connections.opened);
}

/** A response that was in the browser's cache before the load. */
export function fromCache({ har }: Pick<Observed, 'har'>): Problem | null {
  const cached = cachedBeforeTheLoad(har);
  const [first] = cached;
  if (!first) return null;
  return {
    code: 'from-cache',
    message: `${cached.length} responses came out of the browser's cache: ${first.request.url}.`,
  };
}

/** A page is reloaded over the connections of its first load, save by HTTP/1.0, which has one for each request. */
function keepsConnections({ visit, protocol }: Expected): boolean {
  return visit === 'reload' && protocol !== 'http/1.0';
}

/** What a load fetched itself it may well use twice: only what was in the cache before tells of an earlier load. */
function cachedBeforeTheLoad(har: Har): HarEntry[] {
  const fetched = new Set<string>();
  return har.log.entries.filter((entry) => {
    const key = keyOf(entry.request);
    if (entry._fromCache === undefined) fetched.add(key);
    return entry._fromCache !== undefined && !fetched.has(key);
  });
}

/** A response that a browser would have kept from an earlier load, for a while at least. */
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

/** Browsers resume sessions of the same load on any visit. Only a ticket from before says that the load was not cold. */
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
 * Whether a connection offered a ticket that no connection of these can have brought: no full handshake with the same host, over the
 * same transport, was answered before the hello that offers it. The order of the hellos counts, not of the SYNs: where a SYN or its
 * answer is lost, the browser's second connection is there first, and the first one resumes its session.
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
    message: `The first connection to ${full.host} made a full handshake; a resumed one was asked for.`,
  };
}

/** Hosts that share an address share connections too. The cache tells from where a response once came. */
function serversOf(har: Har): string[] {
  const sent = har.log.entries.filter(({ _fromCache }) => _fromCache === undefined);
  return sent.flatMap(({ serverIPAddress }) => serverIPAddress ?? []);
}

/** The first by their hellos: a ticket is for the connection that says hello first, whichever began first. */
function firstOfEachHost(connections: readonly ConnectionRecord[]): ConnectionRecord[] {
  const made = connections
    .filter(({ handshake }) => handshake !== null)
    .toSorted((a, b) => (a.clientHelloMs ?? 0) - (b.clientHelloMs ?? 0));
  return [...Map.groupBy(made, ({ host }) => host).values()].flatMap(([first]) => first ?? []);
}

/** Round trips of a full handshake before a request can leave: QUIC takes one; TCP takes one, and TLS one or two more. */
function fullRoundTrips(protocol: string, tlsVersion: string | undefined): number {
  if (protocol === 'h3') return 1;
  // Chromium sends its request into an unfinished handshake of TLS 1.2 (False Start, RFC 7918) only where a protocol was agreed on
  // (ALPN), and nobody can agree on HTTP/1.0.
  const waitsForTls12 = protocol === 'http/1.0' && tlsVersion === 'TLS 1.2';
  return waitsForTls12 ? 3 : 2;
}

/** Jitter and the clock's grain may shorten it a little. */
const LEAST_SHARE = 0.9;

/** A main document whose connection was there before the load, or cannot have come over the path asked for. */
export function noHandshake(observed: Observed, expected: Expected): Problem | null {
  const { protocol, network, visit } = expected;
  if (keepsConnections(expected)) return null;
  const document = mainDocumentOf(observed.har);
  if (visit === 'repeat' && document?.entry._fromCache !== undefined) return null;
  // What its first try took to connect Chromium shows nowhere; the path has seen its handshake.
  if (document?.entry._restarted && openedConnectionFor(document.entry, observed)) return null;
  // A connection opened ahead of the request, or kept from before, has no connect phase.
  const connectMs = document?.connectMs ?? null;
  const full = !hasEarlierLoad(visit) || visit === 'reload';
  // Where a server has both, it came by one of them.
  const spoken = offersBoth(protocol) ? document?.entry.response.httpVersion : protocol;
  const early = !full && sentEarlyData(observed);
  const resumedRoundTrips = early ? 0 : 1;
  const roundTrips = full
    ? fullRoundTrips(spoken ?? protocol, document?.entry._securityDetails?.protocol)
    : resumedRoundTrips;
  const leastMs = roundTrips * Math.max(0, network.rttMs - 2 * network.jitterMs) * LEAST_SHARE;
  if (connectMs !== null && (connectMs > 0 || early) && connectMs >= leastMs) return null;
  return {
    code: 'no-handshake',
    message: `The main document's request shows no whole connection set-up (connect: ${connectMs?.toFixed(1) ?? 'none'}, expected at least ${leastMs.toFixed(1)} ms).`,
  };
}

function openedConnectionFor({ request }: HarEntry, { connections }: Observed): boolean {
  const { host } = new URL(request.url);
  return connections?.opened.some((each) => each.host === host && each.handshake !== null) ?? false;
}

function sentEarlyData({ connections }: Observed): boolean {
  return connections?.opened.some(({ offered }) => offered === 'early-data') ?? false;
}

/** A reload whose main document needed a connection of its own, though the server keeps those of the first load. */
export function connectionNotKept(observed: Observed, expected: Expected): Problem | null {
  if (!keepsConnections(expected)) return null;
  const { har, connections } = observed;
  const document = mainDocumentOf(har);
  if (document && document.connectMs === null) return null;
  // One that was made beside and never used, as the loser of a race, seems to be new when it is used first. A handshake takes time,
  // save one with early data.
  const isEarly = connections?.opened.some(({ offered }) => offered === 'early-data');
  if (document?.connectMs === 0 && connections?.whole && !isEarly) return null;
  return {
    code: 'connection-not-kept',
    message: `The main document of a reload came over a new connection (connect: ${document?.connectMs?.toFixed(1) ?? 'not known'} ms); one of the first load was to be kept.`,
  };
}
