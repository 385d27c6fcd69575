import { httpDate, shiftedHeaders } from '../../cache/http-date.ts';
import type { Resource, SiteManifest } from '../../cache/manifest.ts';
import { type Match, type Matcher, matcherOf } from '../../cache/match.ts';
import { answerTo, documentChainOf } from '../../cache/resource-answers.ts';
import { type ByteRange, byteRange } from './byte-range.ts';
import { isNotModified, isSameForRange, type RequestHeaders } from './validators.ts';

export interface ReplayRequest {
  method: string;
  /** Host of the request; `:443` and upper case are ignored. */
  host: string;
  /** Path and query, not decoded. */
  path: string;
  header: RequestHeaders;
}

/** The response without the bytes of its body. */
export interface Reply {
  status: number;
  /** In the order sent; names in lower case, may repeat. */
  headers: [name: string, value: string][];
  match: Match;
  /** The matched resource; null: no match. */
  resource: Resource | null;
  /** The part of the resource's body file to send; null: no body. */
  bytes: ByteRange | null;
  /** Whether HTTP allows a body, even an empty one. */
  mayHaveBody: boolean;
  /** Delay of the recorded server's answer, in whole ms. */
  waitMs: number;
}

/** Answers requests; `nowMs` is the time in ms since 1970. */
type Replay = (request: ReplayRequest, nowMs: number) => Reply;

/**
 * Without this header Chromium assumes that an HTTP/3 server does not support priorities, and requests only ten images
 * at a time as with HTTP/1.1. Every stack sends it, so that all send the same headers.
 */
const ALTERNATIVE_SERVICE = 'h3=":443"; ma=86400';

/** Headers that describe a body that is not sent. */
const BODY_HEADERS = new Set([
  'content-encoding',
  'content-language',
  'content-range',
  'content-type',
]);

/** Answered part of a site: all of it, or its main document alone. */
export const SUB_RESOURCES = ['served', 'missing'] as const;
export type SubResources = (typeof SUB_RESOURCES)[number];

/** A site's answers, by the rules in servers/README.md, without input or output. */
export function replayOf(
  site: Pick<SiteManifest, 'url' | 'recordedAt' | 'resources'>,
  subResources: SubResources = 'served',
): Replay {
  const { recordedAt, resources } = site;
  const find =
    subResources === 'served'
      ? matcherOf(resources)
      : exactMatches(matcherOf(documentChainOf(site)));
  const recordedAtS = recordedAt === undefined ? null : Math.floor(Date.parse(recordedAt) / 1000);
  return (request, nowMs) => {
    const nowS = Math.floor(nowMs / 1000);
    return completeReply(answerOf(request, find, recordedAtS, nowS), request.method, nowS);
  };
}

/** Exact matches only: another query is a different URL. */
function exactMatches(find: Matcher): Matcher {
  return (...request) => {
    const found = find(...request);
    return found.match === 'exact' ? found : { match: 'none' };
  };
}

/** Response if the recorded body cannot be read. */
export function failedReply(method: string, nowMs: number): Reply {
  return completeReply({ ...MISS, status: 500 }, method, Math.floor(nowMs / 1000));
}

/** An answer without the fields that every answer has. */
interface Answer extends Pick<Reply, 'status' | 'headers' | 'match'> {
  resource?: Resource;
  bytes?: ByteRange | null;
  waitMs?: number;
}

const MISS: Answer = { status: 404, headers: [], match: 'none' };

/** Adds the date, the offer of HTTP/3 and, where HTTP allows a body, its length. */
function completeReply(answer: Answer, method: string, nowS: number): Reply {
  const { status, headers, match, resource = null, bytes = null, waitMs = 0 } = answer;
  const lengthless = status === 204 || status === 304;
  const length: Reply['headers'] = [['content-length', String(lengthOf(bytes))]];
  const mayHaveBody = method !== 'HEAD' && !lengthless;
  return {
    status,
    headers: [
      ...headers,
      ['date', httpDate(nowS)],
      ['alt-svc', ALTERNATIVE_SERVICE],
      ...(lengthless ? [] : length),
    ],
    match,
    resource,
    bytes: mayHaveBody ? bytes : null,
    mayHaveBody,
    waitMs: Math.floor(waitMs + 0.5),
  };
}

function answerOf(
  { method, host, path, header }: ReplayRequest,
  find: Matcher,
  recordedAtS: number | null,
  nowS: number,
): Answer {
  if (header('service-worker') !== undefined) return MISS;
  const preflight = method === 'OPTIONS';
  const wanted = preflight ? header('access-control-request-method') : method;
  const origin = header('origin');
  if (wanted === undefined || (preflight && origin === undefined)) return MISS;
  const plainHost = host.toLowerCase().replace(/:443$/, '');
  const found = find(wanted === 'HEAD' ? 'GET' : wanted, plainHost, path);
  if (found.match === 'none') return MISS;
  const { match } = found;
  if (preflight) {
    const headers = preflightHeaders(origin ?? '', wanted, header);
    return { status: 204, headers, match, resource: found.resource };
  }
  const resource = answerTo(found.resource, header('cookie'));
  const headers = shiftedHeaders(resource.headers, recordedAtS, nowS);
  return { ...recordedReply(method, header, resource, headers), match, resource };
}

/** Headers that a CORS preflight requests. */
function preflightHeaders(
  origin: string,
  method: string,
  header: RequestHeaders,
): Reply['headers'] {
  const names = header('access-control-request-headers');
  return [
    ['access-control-allow-origin', origin],
    ['access-control-allow-methods', method],
    ...(names === undefined ? [] : [['access-control-allow-headers', names] as [string, string]]),
    ['access-control-allow-credentials', 'true'],
  ];
}

/** The recorded response: whole, in part, or as not modified. */
function recordedReply(
  method: string,
  header: RequestHeaders,
  { status, wireBytes, waitMs, headers: recordedHeaders }: Resource,
  headers: Reply['headers'],
): Pick<Answer, 'status' | 'headers' | 'bytes' | 'waitMs'> {
  const whole = { status, headers, bytes: wholeOf(wireBytes), waitMs };
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD')) return whole;
  const valueFor = (name: string) => recordedHeaders.find((pair) => pair[0] === name)?.[1] ?? null;
  const validators = { etag: valueFor('etag'), lastModified: valueFor('last-modified') };
  const bodiless = headers.filter(([name]) => !BODY_HEADERS.has(name));
  if (isNotModified(header, validators)) return { status: 304, headers: bodiless, waitMs };
  const range = header('range');
  if (range === undefined || method !== 'GET' || valueFor('accept-ranges') === 'none') return whole;
  const bytes = isSameForRange(header, validators) ? byteRange(range, wireBytes) : null;
  if (bytes === null) return whole;
  if (bytes === 'unsatisfiable') {
    return {
      status: 416,
      headers: [...bodiless, ['content-range', `bytes */${wireBytes}`]],
      waitMs,
    };
  }
  const contentRange = `bytes ${bytes.first}-${bytes.last}/${wireBytes}`;
  const unchanged = headers.filter(([name]) => name !== 'content-range');
  return { status: 206, headers: [...unchanged, ['content-range', contentRange]], bytes, waitMs };
}

function wholeOf(bodyBytes: number): ByteRange | null {
  return bodyBytes === 0 ? null : { first: 0, last: bodyBytes - 1 };
}

/** Size of a range; 0: null. */
function lengthOf(bytes: ByteRange | null): number {
  return bytes === null ? 0 : bytes.last - bytes.first + 1;
}
