import { type Cookie, CookieJar } from 'tough-cookie';
import { isCookieName } from '../bounce.ts';
import type { Recording } from '../recording.ts';
import { shiftedHeaders } from '../shifted-headers.ts';
import {
  type Answer,
  type BounceAnswer,
  keyOf,
  MOST_REDIRECTS,
  nextOf,
  stepsFrom,
} from './answer.ts';
import { headerValue } from './header-block.ts';
import { replayableHeaders } from './replayable-headers.ts';

/**
 * Goes the way of a first visit, which has no cookies when it begins, and gives answers on it the redirects that were recorded before
 * them as bounces: where the way back sets a cookie that the first request lacks and the later one carries.
 * @param first what the navigation begins with
 * @param byRequest everything that was recorded of each request, in its order
 */
export function addBounces(
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
    // From here on the visitor has been where a browser does not go.
    if (bounces === null) return;
    step.bounces = bounces;
    if (stepsFrom(first, answers).length > MOST_REDIRECTS + 1) {
      step.bounces = [];
      return;
    }
    visitor.receives(step);
  }
}

/** The redirects with the cookies that decide; null: the recording does not show any. */
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

/** Whether a redirect leads back to the answer that is kept, by way of others; the visitor gets what they set. */
function goesBack(
  from: Answer,
  to: Answer,
  answers: ReadonlyMap<string, Answer>,
  visitor: Visitor,
): boolean {
  let step: Answer | undefined = from;
  for (let count = 0; step && step !== to && count <= MOST_REDIRECTS; count += 1) {
    visitor.receives(step);
    step = nextOf(step, answers);
    // It would be left out.
    if (step !== to && step?.exchange.body === null) return false;
  }
  return step === to;
}

/** Names of the cookies that a request carried; null: the recording does not have its headers. */
function cookiesSentWith({ exchange: { requestHeaders = [] } }: Answer): string[] | null {
  if (requestHeaders.length === 0) return null;
  return requestHeaders
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split(/; */))
    .map((pair) => pair.split('=', 1)[0] as string);
}

/** Whether a browser that comes back takes the redirect out of its cache and never asks the server again. */
function isFresh({ exchange: { status, headers, startedAt } }: Answer): boolean {
  const control = headerValue(headers, 'cache-control') ?? '';
  if (/\bno-(store|cache)\b/i.test(control)) return false;
  const maxAge = /\bmax-age\s*=\s*"?(\d+)/i.exec(control)?.[1];
  if (maxAge !== undefined) return Number(maxAge) > 0;
  // Others are kept only for as long as they say, these for ever.
  if (status === 301 || status === 308) return true;
  const sent = headerValue(headers, 'date') ?? startedAt ?? '';
  return Date.parse(headerValue(headers, 'expires') ?? '') > (Date.parse(sent) || 0);
}

/** The cookies of a browser that begins without any. */
interface Visitor {
  /** Takes the cookies that a response sets. */
  receives(answer: Answer): void;
  /** Names of those that a request carries, what was set last at the end. */
  cookiesFor(url: string): string[];
}

const CENTURY_S = 100 * 365 * 24 * 60 * 60;

/** A visitor to the servers in a hundred years: a date that they do not shift is over by then. */
function firstVisitor(recordedAt: Recording['recordedAt']): Visitor {
  const jar = new CookieJar(undefined, { prefixSecurity: 'strict' });
  const nowS = Math.floor(Date.now() / 1000) + CENTURY_S;
  const now = new Date(nowS * 1000);
  const recordedAtS = recordedAt === null ? null : Math.floor(Date.parse(recordedAt) / 1000);
  return {
    receives({ url, exchange }) {
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
    // Whether they have expired it tells by its own clock alone.
    return jar.getCookiesSync(url, { expire: false });
  } catch {
    // Hosts that are called `local`, `test` or `example`, and nothing else: it takes them for no hosts.
    return [];
  }
}

/** Most bytes of name and value together that Chromium takes. */
const COOKIE_BYTES = 4096;

/** Whether Chromium keeps a cookie. */
function isKept(cookie: Cookie, now: Date): boolean {
  const { key, value, sameSite, secure } = cookie;
  return (
    (cookie.expiryTime(now) ?? Number.POSITIVE_INFINITY) > now.getTime() &&
    key.length + value.length <= COOKIE_BYTES &&
    // It refuses one that other sites may send without encryption.
    (sameSite !== 'none' || secure)
  );
}
