import type { RecordedExchange } from '../recording.ts';
import { isRedirect } from '../response-headers.ts';
import { BodyTooLargeError, checkCoding } from './content-coding.ts';
import { cacheUrl } from './file-url.ts';
import { headerValue } from './header-block.ts';
import { isHtmlType } from './media-types.ts';

/**
 * URL of the navigation, in a recording of unordered requests: the page that no other page in it requested or
 * shows in a frame, or the redirect that led to it. null: no such page.
 */
export function navigatedUrl(exchanges: readonly RecordedExchange[]): string | null {
  const isRequested = requestedBy(exchanges.filter(isPage));
  const page = navigatedPage(exchanges, isRequested);
  if (!page) return null;
  const redirects = new Map<string, RecordedExchange>();
  for (const exchange of exchanges.filter((each) => isNavigation(each) && !isRequested(each))) {
    const target = redirectTarget(exchange);
    if (target !== null && target !== cacheUrl(exchange.url)) redirects.set(target, exchange);
  }
  const steps = new Set([page]);
  for (let step = page; ; ) {
    const before = redirects.get(cacheUrl(step.url) ?? '');
    if (!before || steps.has(before)) return step.url;
    steps.add(before);
    step = before;
  }
}

/** Whether a browser shows a response as a page, as far as recorded. */
export function isPage(exchange: RecordedExchange): boolean {
  if (!isNavigation(exchange) || exchange.status !== 200) return false;
  return exchange.type === 'document' || isHtml(exchange);
}

function isNavigation({ method, type }: RecordedExchange): boolean {
  return method === 'GET' && (type === null || type === 'document');
}

type IsRequested = (exchange: RecordedExchange) => boolean;

function navigatedPage(
  exchanges: readonly RecordedExchange[],
  isRequested: IsRequested,
): RecordedExchange | undefined {
  const pages = exchanges.filter(isPage);
  const referers = new Set(exchanges.map(refererOf));
  const rankOf = (page: RecordedExchange) =>
    (isRequested(page) ? 4 : 0) +
    (page.type === 'document' ? 0 : 2) +
    (namesOf(page).some((name) => referers.has(name)) ? 0 : 1);
  const ranked = pages.map((page) => ({ page, rank: rankOf(page) }));
  const first = ranked.sort((a, b) => a.rank - b.rank)[0]?.page;
  if (!first || pages.length === 1) return first;
  return outOfFrames(
    first,
    isRequested(first) ? pages : pages.filter((page) => !isRequested(page)),
  );
}

/** Whether one of these pages requested a response. Across origins, the referer is often only the page's origin. */
function requestedBy(pages: readonly RecordedExchange[]): IsRequested {
  const referers = new Map<string, Set<string>>();
  for (const page of pages) {
    for (const name of namesOf(page)) {
      referers.set(name, (referers.get(name) ?? new Set()).add(page.url));
    }
  }
  return (exchange) => {
    const found = referers.get(refererOf(exchange) ?? '');
    return found !== undefined && (found.size > 1 || !found.has(exchange.url));
  };
}

/** Forms of a page in `Referer`: its URL, or its origin. */
function namesOf({ url }: RecordedExchange): string[] {
  return [url, '/'].flatMap((name) => cacheUrl(name, url) ?? []);
}

function refererOf({ requestHeaders = [] }: RecordedExchange): string | null {
  return cacheUrl(headerValue(requestHeaders, 'referer') ?? '');
}

/** The page that shows this one in a frame, directly or not; or else this page. */
function outOfFrames(first: RecordedExchange, pages: readonly RecordedExchange[]) {
  const shownBy = new Map<string, RecordedExchange>();
  for (const page of pages) {
    for (const frame of framesOf(page)) if (!shownBy.has(frame)) shownBy.set(frame, page);
  }
  const seen = new Set<RecordedExchange>();
  for (let page = first; ; ) {
    const outer = shownBy.get(cacheUrl(page.url) ?? '');
    if (!outer || seen.has(outer)) return page;
    seen.add(outer);
    page = outer;
  }
}

export function isHtml({ headers }: Pick<RecordedExchange, 'headers'>): boolean {
  return isHtmlType(headerValue(headers, 'content-type') ?? '');
}

type Redirecting = Pick<RecordedExchange, 'url' | 'status' | 'headers'>;

/** Target of a redirect, in the cache's form; null: not a redirect. */
export function redirectTarget(exchange: Redirecting): string | null {
  const location = locationOf(exchange);
  return location === null ? null : cacheUrl(location, exchange.url);
}

/** Target of a redirect that cannot be served, such as an extension that replaces a site; else null. */
export function redirectsOut(exchange: Redirecting): string | null {
  const location = locationOf(exchange);
  return location === null || cacheUrl(location, exchange.url) !== null ? null : location;
}

function locationOf({ status, headers }: Redirecting): string | null {
  return isRedirect(status) ? headerValue(headers, 'location') : null;
}

/**
 * Whether a response redirects to the same request at another address, such as from http to https: in the cache these are one. A
 * redirect to exactly the same address is different: it sets a cookie, or loops.
 */
export function redirectsToItself(exchange: RecordedExchange): boolean {
  const { method, url, status } = exchange;
  // After other redirect statuses a form's answer is requested with GET.
  const repeatsRequest = method === 'GET' || status === 307 || status === 308;
  const target = redirectTarget(exchange);
  if (!repeatsRequest || target === null || target !== cacheUrl(url)) return false;
  return addressOf(locationOf(exchange) ?? '', url) !== addressOf(url);
}

function addressOf(url: string, base?: string): string | undefined {
  return URL.parse(url, base)?.href.replace(/#.*/s, '');
}

/** Longer HTML is data. */
const HTML_BYTES = 16 * 1024 * 1024;

/** Matches within one element, so that unclosed elements take linear time. */
const FRAME = /<i?frame\b[^<>]*?\bsrc\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/gi;

export function framesOf(page: RecordedExchange): string[] {
  const html = Buffer.from(decodedBodyOf(page)).toString('latin1');
  const sources = new Set<string>();
  for (const [, double, single, bare] of html.matchAll(FRAME)) {
    sources.add((double ?? single ?? bare ?? '').trim().replaceAll('&amp;', '&'));
  }
  return [...sources].flatMap((source) => cacheUrl(source, page.url) ?? []);
}

function decodedBodyOf({ body, bodyIs, headers }: RecordedExchange): Uint8Array {
  if (body === null || body.length > HTML_BYTES) return new Uint8Array();
  if (bodyIs === 'decoded') return body;
  try {
    return checkCoding(headerValue(headers, 'content-encoding'), body, HTML_BYTES).decoded;
  } catch (error) {
    if (error instanceof BodyTooLargeError) return new Uint8Array();
    throw error;
  }
}
