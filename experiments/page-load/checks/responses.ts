import type { Resource } from '../../../cache/manifest.ts';
import { answerTo } from '../../../cache/resource-answers.ts';
import type { Har, HarEntry } from '../../../clients/chromium/har/har.ts';
import { mainDocumentOf } from '../../../clients/chromium/har/main-document.ts';
import { INCOMPLETE } from '../../../clients/chromium/har/repair.ts';
import { hasWholeResponse } from '../../../clients/chromium/har/whole-response.ts';
import { offersBoth } from '../../../ground/records/protocol.ts';
import { type Problem, wrongProtocol } from '../../checks.ts';
import type { Expected, Observed } from './check.ts';
import { answeredEntries, isNotFavicon, keyOf } from './requests.ts';

/** A response by another protocol than the stack's. */
export function otherProtocol({ har }: Observed, expected: Expected): Problem | null {
  return wrongProtocol({ har }, versionsAllowed(expected));
}

/** Where a server has both, which the browser takes is the finding, unless it is forced. */
function versionsAllowed({ protocol, visit }: Expected): string[] {
  if (!offersBoth(protocol)) return [protocol];
  return visit === 'forced' ? ['h3'] : ['h2', 'h3'];
}

/** A response over a newer TLS than the browser was to speak. */
export function wrongTls({ har }: Observed, { choices }: Expected): Problem | null {
  if (choices.tlsMost !== '1.2') return null;
  // QUIC has nothing older.
  const newer = har.log.entries.find(
    ({ _fromCache, _securityDetails, response }) =>
      _fromCache === undefined &&
      response.httpVersion !== 'h3' &&
      _securityDetails?.protocol === 'TLS 1.3',
  );
  if (!newer) return null;
  return {
    code: 'wrong-tls',
    message: `${newer.request.url} came over TLS 1.3; at most 1.2 was asked for.`,
  };
}

/** A response with another status than the servers were to give. */
export function wrongStatus(observed: Observed, expected: Expected): Problem | null {
  const statusOf = expectedStatus(observed, expected);
  const other = answeredEntries(observed.har).filter((entry) => {
    const status = statusOf(entry);
    return (
      status !== undefined &&
      status !== entry.response.status &&
      !requestsPart(entry, status) &&
      !isServiceWorker(entry)
    );
  });
  const [first] = other;
  if (!first) return null;
  const [than, is] =
    expected.choices.subResources === 'missing'
      ? ['asked for', 'asked for is']
      : ['recorded', 'recorded is'];
  return {
    code: 'wrong-status',
    message: `Not with the status ${than}: ${other.length} of ${answeredEntries(observed.har).length} responses. ${first.request.url} has ${first.response.status}, ${is} ${statusOf(first)}.`,
    ...blame(
      other.map(({ request }) => request.url),
      expected,
    ),
  };
}

/** What status a request is to have: the recorded one, or 404 where nothing but the main document is served; else unknown. */
function expectedStatus({ har }: Observed, { manifest, choices }: Expected) {
  const recorded = new Map(manifest.resources.map((resource) => [keyOf(resource), resource]));
  const document = mainDocumentOf(har);
  const served = new Set([document?.entry, ...(document?.redirects ?? [])]);
  return (entry: HarEntry): number | undefined => {
    if (choices.subResources === 'missing' && !served.has(entry)) return 404;
    const resource = recorded.get(keyOf(entry.request));
    // What came out of the browser's cache no cookie was sent for.
    if (entry._fromCache !== undefined) return resource?.status;
    return resource && answerTo(resource, cookiesOf(entry)).status;
  };
}

function cookiesOf({ request }: HarEntry): string | undefined {
  return request.headers.find(({ name }) => name.toLowerCase() === 'cookie')?.value;
}

/** Servers refuse service workers on purpose: one would stand between the page and them. */
function isServiceWorker({ request }: HarEntry): boolean {
  return request.headers.some(({ name }) => name.toLowerCase() === 'service-worker');
}

/** Whether the browser asked for a part, or for news only, and got what it asked for. */
function requestsPart({ request, response }: HarEntry, recordedStatus: number): boolean {
  if (recordedStatus !== 200) return false;
  const names = new Set(request.headers.map(({ name }) => name.toLowerCase()));
  if (response.status === 304) return names.has('if-none-match') || names.has('if-modified-since');
  return (response.status === 206 || response.status === 416) && names.has('range');
}

/** A whole response with another body than the recorded one: by its decoded length, and by its bytes as far as they were compared. */
export function wrongBody({ har, otherBytes }: Observed, expected: Expected): Problem | null {
  const { manifest, choices } = expected;
  const recorded = new Map(manifest.resources.map((resource) => [keyOf(resource), resource]));
  // It is sent with its recorded header lines as text.
  const asSaved = choices.document === 'as-saved' ? mainDocumentOf(har)?.entry : undefined;
  const other = har.log.entries.flatMap((entry) => {
    const { request, response } = entry;
    const resource = recorded.get(keyOf(request));
    const isWhole =
      entry._fromCache === undefined &&
      response._error === undefined &&
      response.status >= 200 &&
      response.status < 300 &&
      response.status === resource?.status;
    if (!isWhole || entry === asSaved) return [];
    const { url } = request;
    const { size } = response.content;
    // Chromium reports no body of what it only fetches ahead.
    if (size === 0 && response.bodySize > 0) return [];
    if (size !== resource.decodedBytes) {
      return [{ url, has: `${size} bytes, recorded are ${resource.decodedBytes}` }];
    }
    return otherBytes.includes(keyOf(request))
      ? [{ url, has: 'other bytes than recorded (compared in the first load)' }]
      : [];
  });
  const [first] = other;
  if (!first) return null;
  return {
    code: 'wrong-body',
    message: `Not with the body recorded: ${other.length} of ${answeredEntries(har).length} responses. ${first.url} has ${first.has}.`,
    ...blame(
      other.map(({ url }) => url),
      expected,
    ),
  };
}

/** A recorded resource that did not come, or broke off. */
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
    // A page may well give up a request by itself; a generated one or one known completely does not.
    const givenUp = !manifest.complete && entry.response._error === 'net::ERR_ABORTED';
    const excused = came.has(keyOf(entry.request)) || givenUp || (missing && isWithheld(entry));
    const resource = recorded.get(keyOf(entry.request));
    return resource && !hasWholeResponse(entry) && !excused && !hasAllBytes(entry, resource);
  });
  const [first] = failed;
  if (!first) return null;
  return {
    code: 'request-failed',
    message: `Not arrived, or only in part: ${failed.length} of ${har.log.entries.length} requests. ${first.request.url} (${first.response._error ?? 'no response'}).`,
    ...blame(
      failed.map(({ request }) => request.url),
      expected,
    ),
  };
}

/** Whether the recorded body came whole of a request of which Chromium reported no end, because the page left it unread. */
function hasAllBytes({ response }: HarEntry, { status, decodedBytes }: Resource): boolean {
  return (
    response._error === INCOMPLETE &&
    response.status === status &&
    response.content.size === decodedBytes
  );
}

/** What had broken when something happened to the path, and came when it was asked for again. */
function repeatedLater(har: Har, { network }: Expected): Set<string> {
  const came = network.event ? har.log.entries.filter(hasWholeResponse) : [];
  return new Set(came.map(({ request }) => keyOf(request)));
}

/** A 404 that the browser does not let the page see: it has no header that would allow it to another host's page. */
function isWithheld({ response }: HarEntry): boolean {
  return /ERR_BLOCKED_BY_ORB|\(.*AllowOrigin/.test(response._error ?? '');
}

/** Other requests than the recorded ones, of a page that is known completely. */
export function requestSetDiffers({ har }: Observed, expected: Expected): Problem | null {
  const { manifest, choices, network } = expected;
  if (!manifest.complete) return null;
  const recorded = manifest.resources.map(keyOf).filter(isNotFavicon).sort();
  const asked = har.log.entries.map((entry) => keyOf(entry.request)).filter(isNotFavicon);
  // What broke is asked for again.
  const loaded = (network.event ? [...new Set(asked)] : asked).sort();
  // What is not served asks for nothing, and is asked for twice where its 404 comes before the parser has got to it: only what
  // was never recorded is too much.
  const served = choices.subResources === 'served';
  const missing = served ? without(recorded, loaded) : [];
  const extra = served
    ? without(loaded, recorded)
    : loaded.filter((key) => !recorded.includes(key));
  if (missing.length + extra.length === 0) return null;
  return {
    code: 'request-set-differs',
    message: `The page asks for ${recorded.length} resources, the load for ${loaded.length}; missing: ${listSome(missing)}; extra: ${listSome(extra)}.`,
    ...blame(
      [...missing, ...extra].map((key) => key.replace(/^\S+ /, '')),
      expected,
    ),
  };
}

const MOST_BLAMED = 20;

/** Where only the main document is served, no other resource is to blame. */
function blame(urls: readonly string[], { choices }: Expected): Pick<Problem, 'blamed'> {
  return choices.subResources === 'served'
    ? { blamed: [...new Set(urls)].slice(0, MOST_BLAMED) }
    : {};
}

/** What is in a list but not in the other, each as often as it is there too often. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function listSome(list: readonly string[]): string {
  if (list.length === 0) return 'none';
  return list.length <= 2
    ? list.join(', ')
    : `${list.slice(0, 2).join(', ')} and ${list.length - 2} more`;
}
