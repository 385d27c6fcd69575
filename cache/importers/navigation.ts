import type { RecordedExchange } from '../recording.ts';
import { isRedirect } from '../response-headers.ts';
import { BodyTooLargeError, checkCoding } from './content-coding.ts';
import { cacheUrl } from './file-url.ts';
import { headerValue } from './header-block.ts';
import { isHtmlType } from './media-types.ts';

/**
 * The URL that was navigated to, in a recording that keeps requests but neither says so nor has them in their order: the
 * page that nothing else in the recording asked for or shows in a frame, or the redirect that led to it. Null: there is none.
 */
export function navigatedUrl(exchanges: readonly RecordedExchange[]): string | null {
  const isAsked = requestedBy(exchanges.filter(isPage));
  const page = navigatedPage(exchanges, isAsked);
  if (!page) return null;
  const redirects = new Map<string, RecordedExchange>();
  for (const exchange of exchanges.filter((each) => isNavigation(each) && !isAsked(each))) {
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

/** Whether a response is one that a browser shows as a page, as far as the recording tells. */
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
  isAsked: IsRequested,
): RecordedExchange | undefined {
  const pages = exchanges.filter(isPage);
  const referers = new Set(exchanges.map(refererOf));
  const rankOf = (page: RecordedExchange) =>
    (isAsked(page) ? 4 : 0) +
    (page.type === 'document' ? 0 : 2) +
    (namesOf(page).some((name) => referers.has(name)) ? 0 : 1);
  const ranked = pages.map((page) => ({ page, rank: rankOf(page) }));
  const first = ranked.sort((a, b) => a.rank - b.rank)[0]?.page;
  if (!first || pages.length === 1) return first;
  return outOfFrames(first, isAsked(first) ? pages : pages.filter((page) => !isAsked(page)));
}

/** Whether one of these pages asked for a response. The referer that other hosts are told is often the page's host alone. */
function requestedBy(pages: readonly RecordedExchange[]): IsRequested {
  const askers = new Map<string, Set<string>>();
  for (const page of pages) {
    for (const name of namesOf(page)) {
      askers.set(name, (askers.get(name) ?? new Set()).add(page.url));
    }
  }
  return (exchange) => {
    const found = askers.get(refererOf(exchange) ?? '');
    return found !== undefined && (found.size > 1 || !found.has(exchange.url));
  };
}

/** What a page is called in `Referer`: its URL, or its host's. */
function namesOf({ url }: RecordedExchange): string[] {
  return [url, '/'].flatMap((name) => cacheUrl(name, url) ?? []);
}

function refererOf({ requestHeaders = [] }: RecordedExchange): string | null {
  return cacheUrl(headerValue(requestHeaders, 'referer') ?? '');
}

/** The page that shows this one in a frame, or in a frame of a frame; else this one. */
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

/** The URL that a response redirects to, as the cache keeps it; null: none. */
export function redirectTarget(exchange: Redirecting): string | null {
  const location = locationOf(exchange);
  return location === null ? null : cacheUrl(location, exchange.url);
}

/** What a response redirects to, if that is no web address that can be served, as extensions have that stand in for a site; else null. */
export function redirectsOut(exchange: Redirecting): string | null {
  const location = locationOf(exchange);
  return location === null || cacheUrl(location, exchange.url) !== null ? null : location;
}

function locationOf({ status, headers }: Redirecting): string | null {
  return isRedirect(status) ? headerValue(headers, 'location') : null;
}

/**
 * Whether a response leads to the request that it answers by another address, as from http to https: in the cache these are one. What
 * leads to the very address that was asked for is another matter: it sets a cookie, or goes round in a circle.
 */
export function redirectsToItself(exchange: RecordedExchange): boolean {
  const { method, url, status } = exchange;
  // The other statuses have a form's answer asked for with GET.
  const asksTheSame = method === 'GET' || status === 307 || status === 308;
  const target = redirectTarget(exchange);
  if (!asksTheSame || target === null || target !== cacheUrl(url)) return false;
  return addressOf(locationOf(exchange) ?? '', url) !== addressOf(url);
}

function addressOf(url: string, base?: string): string | undefined {
  return URL.parse(url, base)?.href.replace(/#.*/s, '');
}

/** HTML beyond this is no page's, but data. */
const HTML_BYTES = 16 * 1024 * 1024;

/** Does not look beyond the element, so that a row of elements that never end takes no longer than any other text. */
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
