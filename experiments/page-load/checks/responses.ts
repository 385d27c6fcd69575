import type { Resource } from '../../../cache/manifest.ts';
import { answerTo } from '../../../cache/resource-answers.ts';
import { INCOMPLETE, isAborted, isWithheld } from '../../../clients/har/errors.ts';
import type { Har, HarEntry } from '../../../clients/har/har.ts';
import { mainDocumentOf } from '../../../clients/har/main-document.ts';
import { hasWholeResponse } from '../../../clients/har/whole-response.ts';
import { firstNames } from '../../../ground/first-names.ts';
import type { ConnectionRecord } from '../../../ground/records/connection.ts';
import { offersBoth, type Protocol } from '../../../ground/records/protocol.ts';
import { type Problem, wrongProtocol } from '../../checks.ts';
import { type Expected, type Observed, protocolOf } from './check.ts';
import { answeredEntries, isNotFavicon, keyOf } from './requests.ts';

/**
 * A response came by a protocol other than that of its host, or the browser tried another transport: a race of QUIC and TCP shares the
 * path even if the right one wins.
 */
export function otherProtocol({ har, connections }: Observed, expected: Expected): Problem | null {
  const byProtocol = Map.groupBy(har.log.entries, ({ request }) =>
    protocolOf(new URL(request.url).host, expected),
  );
  for (const [protocol, entries] of byProtocol) {
    const problem = wrongProtocol(entries, versionsAllowed(protocol, expected));
    if (problem) return problem;
  }
  const tried = connections?.opened.find((each) => !mayTry(each, expected));
  if (!tried) return null;
  const { host, address, transport } = tried;
  const name = { quic: 'QUIC', tcp: 'TCP' }[transport];
  const other = { quic: 'TCP', tcp: 'QUIC' }[transport];
  return {
    code: 'wrong-protocol',
    message: `The browser tried ${name} with ${host ?? address}, expected ${other} alone.`,
  };
}

/** Whether the browser may try a connection's transport with its host. */
function mayTry({ host, address, transport }: ConnectionRecord, expected: Expected): boolean {
  // A connection without a ClientHello is known by its address.
  const hosts = Object.entries(expected.origins)
    .filter(([name, origin]) =>
      host === null ? origin === address : name.replace(/:\d+$/, '') === host,
    )
    .map(([name]) => name);
  // Another check rejects foreign hosts.
  return (
    hosts.length === 0 ||
    hosts.some((name) =>
      versionsAllowed(protocolOf(name, expected), expected).some(
        (version) => version.startsWith('h3') === (transport === 'quic'),
      ),
    )
  );
}

/** Chromium's name of HTTP/3 over QUIC version 2, from a draft of RFC 9369; with version 1 it is `h3`. */
const HTTP3_BY_QUIC_V2 = 'h3/quic2draft08';

/** Versions of HTTP that responses may have. The browser's choice of two is a result of the load, unless QUIC is forced. */
function versionsAllowed(
  protocol: Protocol,
  { visit, quicVersion }: Pick<Expected, 'visit' | 'quicVersion'>,
): string[] {
  if (protocol === 'h3' && quicVersion === 2) return [HTTP3_BY_QUIC_V2];
  if (!offersBoth(protocol)) return [protocol];
  return visit === 'forced' ? ['h3'] : ['h2', 'h3'];
}

/** A response came over a newer TLS than the run allows. */
export function wrongTls({ har }: Observed, { choices }: Expected): Problem | null {
  if (choices.tlsMost !== '1.2') return null;
  // QUIC has no older TLS.
  const newer = har.log.entries.find(
    ({ _fromCache, _securityDetails, response }) =>
      _fromCache === undefined &&
      !response.httpVersion.startsWith('h3') &&
      _securityDetails?.protocol === 'TLS 1.3',
  );
  if (!newer) return null;
  return {
    code: 'wrong-tls',
    message: `${newer.request.url} came over TLS 1.3, expected at most 1.2.`,
  };
}

export function wrongStatus(observed: Observed, expected: Expected): Problem | null {
  const statusOf = expectedStatus(observed, expected);
  const other = answeredEntries(observed.har).filter((entry) => {
    const status = statusOf(entry);
    return (
      status !== undefined &&
      status !== entry.response.status &&
      isNotFavicon(keyOf(entry.request)) &&
      !requestsPart(entry, status) &&
      !isServiceWorker(entry)
    );
  });
  const [first] = other;
  if (!first) return null;
  return {
    code: 'wrong-status',
    message: `${other.length} of ${answeredEntries(observed.har).length} responses have an unexpected status: ${first.request.url} has ${first.response.status}, expected ${statusOf(first)}.`,
    ...blame(
      other.map(({ request }) => request.url),
      expected,
    ),
  };
}

/** Returns a request's expected status: the recorded one, or 404 if only the main document is served; undefined: unknown. */
function expectedStatus({ har }: Observed, { manifest, choices }: Expected) {
  const recorded = new Map(manifest.resources.map((resource) => [keyOf(resource), resource]));
  const document = mainDocumentOf(har);
  const served = new Set([document?.entry, ...(document?.redirects ?? [])]);
  return (entry: HarEntry): number | undefined => {
    if (choices.subResources === 'missing' && !served.has(entry)) return 404;
    const resource = recorded.get(keyOf(entry.request));
    // Responses from the browser's cache had no request with a cookie.
    if (entry._fromCache !== undefined) return resource?.status;
    return resource && answerTo(resource, cookiesOf(entry)).status;
  };
}

function cookiesOf({ request }: HarEntry): string | undefined {
  return request.headers.find(({ name }) => name.toLowerCase() === 'cookie')?.value;
}

/** Servers refuse service workers, which would handle requests in place of the server. */
function isServiceWorker({ request }: HarEntry): boolean {
  return request.headers.some(({ name }) => name.toLowerCase() === 'service-worker');
}

/** Whether the response answers a range request or a conditional request. */
function requestsPart({ request, response }: HarEntry, recordedStatus: number): boolean {
  if (recordedStatus !== 200) return false;
  const names = new Set(request.headers.map(({ name }) => name.toLowerCase()));
  if (response.status === 304) return names.has('if-none-match') || names.has('if-modified-since');
  return (response.status === 206 || response.status === 416) && names.has('range');
}

/** The body of a complete response differs from the recorded one in its decoded length or, if they were compared, its bytes. */
export function wrongBody({ har, otherBytes }: Observed, expected: Expected): Problem | null {
  const { manifest, choices } = expected;
  const recorded = new Map(manifest.resources.map((resource) => [keyOf(resource), resource]));
  // This document contains its recorded header lines as text.
  const asSaved = choices.document === 'as-saved' ? mainDocumentOf(har)?.entry : undefined;
  const other = har.log.entries.flatMap((entry) => {
    const { request, response } = entry;
    const resource = recorded.get(keyOf(request));
    const isWhole =
      entry._fromCache === undefined &&
      isNotFavicon(keyOf(request)) &&
      response._error === undefined &&
      response.status >= 200 &&
      response.status < 300 &&
      response.status === resource?.status;
    if (!isWhole || entry === asSaved) return [];
    const { url } = request;
    const { size } = response.content;
    // Chromium reports no body of preloads.
    if (size === 0 && response.bodySize > 0) return [];
    if (size !== resource.decodedBytes) {
      return [{ url, has: `${size} bytes, expected ${resource.decodedBytes}` }];
    }
    return otherBytes.includes(keyOf(request))
      ? [{ url, has: 'other bytes than recorded (compared in the first load)' }]
      : [];
  });
  const [first] = other;
  if (!first) return null;
  return {
    code: 'wrong-body',
    message: `${other.length} of ${answeredEntries(har).length} responses have another body than recorded: ${first.url} has ${first.has}.`,
    ...blame(
      other.map(({ url }) => url),
      expected,
    ),
  };
}

/** A recorded resource did not arrive, or only in part. */
export function requestFailed({ har }: Observed, expected: Expected): Problem | null {
  const { manifest, choices } = expected;
  const came = repeatedLater(har, expected);
  const recorded = new Map(
    manifest.resources
      .map((resource) => [keyOf(resource), resource] as const)
      .filter(([key]) => isNotFavicon(key)),
  );
  const missing = choices.subResources === 'missing';
  const failed = har.log.entries.filter((entry) => {
    // Pages may abort requests, except generated pages and those that are recorded completely.
    const givenUp = !manifest.complete && isAborted(entry.response._error);
    const excused =
      came.has(keyOf(entry.request)) || givenUp || (missing && isWithheld(entry.response._error));
    const resource = recorded.get(keyOf(entry.request));
    return resource && !hasWholeResponse(entry) && !excused && !hasAllBytes(entry, resource);
  });
  const [first] = failed;
  if (!first) return null;
  return {
    code: 'request-failed',
    message: `${failed.length} of ${har.log.entries.length} requests have no complete response: ${first.request.url} (${first.response._error ?? 'no response'}).`,
    ...blame(
      failed.map(({ request }) => request.url),
      expected,
    ),
  };
}

/** Whether the whole body arrived although Chromium reported no end, because the page did not read it. */
function hasAllBytes({ response }: HarEntry, { status, decodedBytes }: Resource): boolean {
  return (
    response._error === INCOMPLETE &&
    response.status === status &&
    response.content.size === decodedBytes
  );
}

/** Requests that an event of the path may have broken, and that succeeded when repeated. */
function repeatedLater(har: Har, { network }: Expected): Set<string> {
  const came = network.event ? har.log.entries.filter(hasWholeResponse) : [];
  return new Set(came.map(({ request }) => keyOf(request)));
}

/** The requests of a completely recorded page differ from the recorded ones. */
export function requestSetDiffers({ har }: Observed, expected: Expected): Problem | null {
  const { manifest, choices, network } = expected;
  if (!manifest.complete) return null;
  const recorded = manifest.resources.map(keyOf).filter(isNotFavicon).sort();
  const requested = withoutRepeats(har)
    .map(({ request }) => keyOf(request))
    .filter(isNotFavicon);
  // Broken requests are repeated.
  const loaded = (network.event ? [...new Set(requested)] : requested).sort();
  // Missing resources request no further ones, and are requested twice if their 404 arrives before the parser gets to them.
  // So only requests that were never recorded are extra.
  const served = choices.subResources === 'served';
  const missing = served ? without(recorded, loaded) : [];
  const extra = served
    ? without(loaded, recorded)
    : loaded.filter((key) => !recorded.includes(key));
  if (missing.length + extra.length === 0) return null;
  return {
    code: 'request-set-differs',
    message: `The load requested ${loaded.length} resources, expected ${recorded.length}; missing: ${listSome(missing)}; extra: ${listSome(extra)}.`,
    ...blame(
      [...missing, ...extra].map((key) => key.replace(/^\S+ /, '')),
      expected,
    ),
  };
}

/** Without further uses of what the load itself has fetched: Firefox reports them as requests, Chromium does not. */
function withoutRepeats(har: Har): HarEntry[] {
  const fetched = new Set(
    har.log.entries
      .filter(({ _fromCache }) => _fromCache === undefined)
      .map(({ request }) => keyOf(request)),
  );
  return har.log.entries.filter(
    ({ request, _fromCache }) => _fromCache === undefined || !fetched.has(keyOf(request)),
  );
}

const MOST_BLAMED = 20;

/** The resources that cause a problem; empty if only the main document is served. */
function blame(urls: readonly string[], { choices }: Expected): Pick<Problem, 'blamed'> {
  return choices.subResources === 'served'
    ? { blamed: [...new Set(urls)].slice(0, MOST_BLAMED) }
    : {};
}

/** The multiset difference of two lists. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function listSome(list: readonly string[]): string {
  return firstNames(list, 2) || 'none';
}
