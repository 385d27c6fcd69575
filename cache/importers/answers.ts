import { type Cookie, CookieJar } from 'tough-cookie';
import { shiftedHeaders } from '../http-date.ts';
import { shown } from '../import-error.ts';
import type { ImportBudget, ImportLimits } from '../limits.ts';
import type { Resource } from '../manifest.ts';
import type { Note } from '../notes.ts';
import type { RecordedExchange, Recording } from '../recording.ts';
import { isCookieName } from '../response-headers.ts';
import { cacheUrl } from './file-url.ts';
import { headerValue } from './header-block.ts';
import { redirectsOut, redirectsToItself, redirectTarget } from './navigation.ts';
import { replayableHeaders } from './replayable-headers.ts';

export interface Answers {
  /** By method and URL, in the order of the recording. */
  answers: Map<string, Answer>;
  /** Reasons of excluded responses, by URL. */
  excluded: Map<string, string>;
  /** Notes for people. */
  notes: Note[];
}

/**
 * Chooses one answer for each request of a recording, and the redirects that a first visit gets before it. Servers keep no state, so
 * they can only choose between several answers by what the request carries.
 * @throws ImportError when there are more entries than the limits allow
 */
export function answersOf(
  {
    exchanges,
    documentUrl,
    recordedAt,
  }: Pick<Recording, 'exchanges' | 'documentUrl' | 'recordedAt'>,
  budget: ImportBudget,
): Answers {
  const left: Pick<Answers, 'excluded' | 'notes'> = { excluded: new Map(), notes: [] };
  const usable: Answer[] = [];
  for (const [place, exchange] of exchanges.entries()) {
    budget.takeEntry();
    const problem = problemOf(exchange, budget.limits);
    if (problem === null) usable.push(answerOf(exchange, place));
    else exclude(left, exchange, problem);
  }
  const byRequest = Map.groupBy(usable, keyOf);
  const best = [...byRequest.values()].map(bestOf).sort((a, b) => a.place - b.place);
  const answers = new Map(best.map((answer) => [keyOf(answer), answer]));
  for (const answer of best.filter((each) => isEndless(each, answers))) {
    answers.delete(keyOf(answer));
    exclude(left, answer.exchange, 'its redirects lead in a circle, or on without end');
  }
  const first = answers.get(`GET ${cacheUrl(documentUrl ?? '')}`);
  if (first) addBounces(first, answers, byRequest, recordedAt);
  for (const several of byRequest.values()) excludeDuplicates(left, several);
  return { answers, ...left };
}

export function exclude(
  { excluded, notes }: Pick<Answers, 'excluded' | 'notes'>,
  { url, where }: RecordedExchange,
  reason: string,
): void {
  excluded.set(cacheUrl(url) ?? '', reason);
  notes.push({ where, text: `skipped, ${reason}` });
}

function answerOf(exchange: RecordedExchange, place: number): Answer {
  const { method, url } = exchange;
  return {
    exchange,
    place,
    method: method as Resource['method'],
    url: cacheUrl(url) as string,
    target: redirectTarget(exchange),
    bounces: [],
  };
}

/**
 * Chooses between several answers to one request, which depended on client state: cookies of a sign-on, an authentication, a retry.
 * Prefers the successful one, at any position.
 */
function bestOf(several: readonly Answer[]): Answer {
  return several.reduce((best, answer) => (worthOf(answer) > worthOf(best) ? answer : best));
}

function worthOf(answer: Answer): number {
  const { status, body } = answer.exchange;
  if (keyOfNext(answer) === keyOf(answer)) return -1;
  // Some programs record a request whose response they missed with an empty body.
  const worthOfBody = body === null ? 0 : body.length === 0 ? 1 : 2;
  return (status < 300 ? 3 : 0) + worthOfBody;
}

function excludeDuplicates(
  left: Pick<Answers, 'excluded' | 'notes'>,
  several: readonly Answer[],
): void {
  const best = bestOf(several);
  const replayed = new Set([best, ...best.bounces].map(({ place }) => place));
  for (const { exchange, place } of several) {
    if (replayed.has(place)) continue;
    const { where } = best.exchange;
    if (place < best.place)
      exclude(left, exchange, `a later answer to the same URL is kept: ${where}`);
    else
      left.notes.push({
        where: exchange.where,
        text: `skipped, the same URL as an earlier one: ${where}`,
      });
  }
}

function isEndless(first: Answer, answers: ReadonlyMap<string, Answer>): boolean {
  let step: Answer | undefined = first;
  for (let count = 0; step && count <= MAX_REDIRECTS; count += 1) step = nextOf(step, answers);
  return step !== undefined;
}

/** Why an exchange cannot be replayed; null: it can. */
function problemOf(exchange: RecordedExchange, limits: ImportLimits): string | null {
  const { method, url, status, failure, headers } = exchange;
  if (url.length > limits.urlLength) {
    return `its URL is too long: ${url.length} characters, at most ${limits.urlLength} are imported`;
  }
  if (cacheUrl(url) === null) return 'not a web address that can be served';
  if (method !== 'GET' && method !== 'POST') return 'only GET and POST are replayed';
  if (failure !== undefined) return `it failed in the browser: ${shown(failure, 80)}`;
  if (status === 0) return 'it had no response';
  // Browsers refuse it from a server that is not a proxy.
  if (status === 407) return 'status 407 comes from a proxy, and loads have no proxy';
  const isFinal = Number.isInteger(status) && status >= 200 && status <= 599 && status !== 304;
  if (!isFinal || (status === 206 && exchange.body !== null && !isWholeRange(exchange))) {
    return `status ${status} does not answer a first request for the whole resource`;
  }
  if (headers.length > limits.headers) {
    return `it has more than ${limits.headers} headers`;
  }
  const headerBytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (headerBytes > limits.headerBytes) {
    return `its headers are too long: ${headerBytes} bytes, at most ${limits.headerBytes} are imported`;
  }
  if (redirectsToItself(exchange)) {
    return 'it redirects from http to https, and all URLs are https here';
  }
  const out = redirectsOut(exchange);
  if (out === null) return null;
  return `it redirects to an address that cannot be served: ${shown(out, 80)}`;
}

/** Whether a 206 contains the whole resource, like answers to `Range: bytes=0-` of media elements. */
function isWholeRange({ headers, body }: RecordedExchange): boolean {
  const range = headerValue(headers, 'content-range') ?? '';
  const [, last, size] = /^bytes 0-(\d+)\/(\d+)$/.exec(range.trim()) ?? [];
  return last !== undefined && Number(last) + 1 === Number(size) && body?.length === Number(size);
}

export interface Answer {
  exchange: RecordedExchange;
  place: number;
  method: Resource['method'];
  /** URL in the cache's form (cacheUrl()). */
  url: string;
  /** Target of a redirect; null: not a redirect. */
  target: string | null;
  /** Redirects that the same request gets first, in this order. */
  bounces: readonly BounceAnswer[];
}

/** A redirect for requests without the cookie of this name. */
export interface BounceAnswer extends Answer {
  cookie: string;
}

/** Chromium follows this many redirects. */
const MAX_REDIRECTS = 20;

export function keyOf({ method, url }: Pick<Resource, 'method' | 'url'>): string {
  return `${method} ${url}`;
}

/** Key of the request to which a redirect leads; null: not a redirect. */
function keyOfNext({ method, target, exchange: { status } }: Answer): string | null {
  if (target === null) return null;
  // After other redirect statuses a form's answer is requested with GET.
  const same = status === 307 || status === 308;
  return keyOf({ method: same ? method : 'GET', url: target });
}

/** Answer to which a redirect leads; undefined: not a redirect, or the target was not recorded. */
function nextOf<A extends Answer>(answer: Answer, answers: ReadonlyMap<string, A>): A | undefined {
  return answers.get(keyOfNext(answer) ?? '');
}

/**
 * Steps of a navigation: redirects, then the document; each bounce of an answer is a step of its own. Ends with a redirect
 * whose target was not recorded.
 */
export function stepsFrom<A extends Answer>(first: A, answers: ReadonlyMap<string, A>): A[] {
  const steps: A[] = [];
  for (let step: A | undefined = first; step; step = nextOf(step, answers)) {
    for (const bounce of step.bounces) steps.push(step, ...pathBack(bounce, step, answers));
    steps.push(step);
  }
  return steps;
}

function pathBack<A extends Answer>(from: Answer, to: A, answers: ReadonlyMap<string, A>): A[] {
  const way: A[] = [];
  for (let step = nextOf(from, answers); step && step !== to; step = nextOf(step, answers)) {
    way.push(step);
  }
  return way;
}

/**
 * Simulates a first visit, without cookies, and adds redirects that were recorded before an answer as its bounces: those on whose way
 * back a cookie is set that the first request lacks and the later one carries.
 * @param first start of the navigation
 * @param byRequest all recorded answers to each request, in order
 */
function addBounces(
  first: Answer,
  answers: ReadonlyMap<string, Answer>,
  byRequest: ReadonlyMap<string, readonly Answer[]>,
  recordedAt: Recording['recordedAt'],
): void {
  const visitor = firstVisitor(recordedAt);
  for (const step of stepsFrom(first, answers)) {
    const several = byRequest.get(keyOf(step)) ?? [];
    const redirects = several.filter(({ target, place }) => target !== null && place < step.place);
    const bounces = bouncesTo(step, redirects, answers, visitor);
    // Without these bounces the simulated visitor differs from a browser.
    if (bounces === null) return;
    step.bounces = bounces;
    if (stepsFrom(first, answers).length > MAX_REDIRECTS + 1) {
      step.bounces = [];
      return;
    }
    visitor.receive(step);
  }
}

/** The redirects as bounces, each with the cookie that ends it; null: for one the recording shows no such cookie. */
function bouncesTo(
  kept: Answer,
  redirects: readonly Answer[],
  answers: ReadonlyMap<string, Answer>,
  visitor: Visitor,
): BounceAnswer[] | null {
  const bounces: BounceAnswer[] = [];
  let carried = visitor.cookiesFor(kept.url);
  for (const [index, redirect] of redirects.entries()) {
    const before = carried;
    if (isFresh(redirect) || !goesBack(redirect, kept, answers, visitor)) return null;
    carried = visitor.cookiesFor(kept.url);
    const sentFirst = cookiesSentWith(redirect) ?? [];
    const sentLater = cookiesSentWith(redirects[index + 1] ?? kept) ?? carried;
    const cookie = carried.findLast(
      (name) => !before.includes(name) && !sentFirst.includes(name) && sentLater.includes(name),
    );
    if (cookie === undefined) return null;
    bounces.push({ ...redirect, cookie });
    if (bounces.some((bounce) => !carried.includes(bounce.cookie))) return null;
  }
  return bounces;
}

/** Whether a redirect leads back to the kept answer through further redirects; the visitor gets their cookies. */
function goesBack(
  from: Answer,
  to: Answer,
  answers: ReadonlyMap<string, Answer>,
  visitor: Visitor,
): boolean {
  let step: Answer | undefined = from;
  for (let count = 0; step && step !== to && count <= MAX_REDIRECTS; count += 1) {
    visitor.receive(step);
    step = nextOf(step, answers);
    // An answer without a body is excluded from the site.
    if (step !== to && step?.exchange.body === null) return false;
  }
  return step === to;
}

/** Names of a request's cookies; null: its headers were not recorded. */
function cookiesSentWith({ exchange: { requestHeaders = [] } }: Answer): string[] | null {
  if (requestHeaders.length === 0) return null;
  return requestHeaders
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split(/; */))
    .map((pair) => pair.split('=', 1)[0] as string);
}

/** Whether a browser that returns takes the redirect from its cache. */
function isFresh({ exchange: { status, headers, startedAt } }: Answer): boolean {
  const control = headerValue(headers, 'cache-control') ?? '';
  if (/\bno-(store|cache)\b/i.test(control)) return false;
  const maxAge = /\bmax-age\s*=\s*"?(\d+)/i.exec(control)?.[1];
  if (maxAge !== undefined) return Number(maxAge) > 0;
  // These are cached without a limit by default.
  if (status === 301 || status === 308) return true;
  const sent = headerValue(headers, 'date') ?? startedAt ?? '';
  return Date.parse(headerValue(headers, 'expires') ?? '') > (Date.parse(sent) || 0);
}

interface Visitor {
  receive(answer: Answer): void;
  /** Names of the cookies that a request carries, in the order in which they were set. */
  cookiesFor(url: string): string[];
}

const CENTURY_S = 100 * 365 * 24 * 60 * 60;

/** A visit in a hundred years, when dates that servers do not shift have expired. */
function firstVisitor(recordedAt: Recording['recordedAt']): Visitor {
  const jar = new CookieJar(undefined, { prefixSecurity: 'strict' });
  const nowS = Math.floor(Date.now() / 1000) + CENTURY_S;
  const now = new Date(nowS * 1000);
  const recordedAtS = recordedAt === null ? null : Math.floor(Date.parse(recordedAt) / 1000);
  return {
    receive({ url, exchange }) {
      const { headers } = replayableHeaders(exchange.headers);
      for (const [name, value] of shiftedHeaders(headers, recordedAtS, nowS)) {
        if (name === 'set-cookie') jar.setCookieSync(value, url, { now, ignoreError: true });
      }
    },
    cookiesFor: (url) =>
      cookiesIn(jar, url)
        .filter((cookie) => isKept(cookie, now))
        .map(({ key }) => key)
        .filter(isCookieName),
  };
}

function cookiesIn(jar: CookieJar, url: string): Cookie[] {
  try {
    // The jar would check expiry by the system's clock.
    return jar.getCookiesSync(url, { expire: false });
  } catch {
    // The cookie jar rejects the hosts `local`, `test` and `example`.
    return [];
  }
}

/** Chromium's limit for name and value together. */
const COOKIE_BYTES = 4096;

function isKept(cookie: Cookie, now: Date): boolean {
  const { key, value, sameSite, secure } = cookie;
  return (
    (cookie.expiryTime(now) ?? Number.POSITIVE_INFINITY) > now.getTime() &&
    key.length + value.length <= COOKIE_BYTES &&
    // Chromium refuses an insecure cookie for cross-site use.
    (sameSite !== 'none' || secure)
  );
}
