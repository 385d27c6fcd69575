import type { RecordedExchange } from '../recording.ts';
import { cacheUrl } from './file-url.ts';
import { headerValue } from './header-block.ts';

/**
 * The URL that was navigated to, in a recording that keeps requests but neither says so nor has them in their order: the
 * first page in HTML that nothing asked for, or the redirect that led to it. Null: there is none.
 */
export function navigatedUrl(exchanges: readonly RecordedExchange[]): string | null {
  const unasked = exchanges.filter(isUnasked);
  const page =
    unasked.find(({ type, status }) => type === 'document' && status === 200) ??
    unasked.find((exchange) => exchange.status === 200 && isHtml(exchange));
  if (!page) return null;
  const redirects = new Map<string, RecordedExchange>();
  for (const exchange of unasked) {
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

/** Browsers send no Referer with what was typed in, and with nearly everything that a page asks for. */
function isUnasked({ method, type, requestHeaders = [] }: RecordedExchange): boolean {
  return (
    method === 'GET' &&
    (type === null || type === 'document') &&
    headerValue(requestHeaders, 'referer') === null
  );
}

/** Whether a response says that it is a page in HTML. */
export function isHtml({ headers }: Pick<RecordedExchange, 'headers'>): boolean {
  return /^\s*(text\/html|application\/xhtml)/i.test(headerValue(headers, 'content-type') ?? '');
}

/** The URL that a response redirects to, as the cache keeps it; null: none. */
export function redirectTarget({
  url,
  status,
  headers,
}: Pick<RecordedExchange, 'url' | 'status' | 'headers'>): string | null {
  const location = headerValue(headers, 'location');
  return isRedirect(status) && location !== null ? cacheUrl(location, url) : null;
}

/** What a response redirects to, if that is no web address that can be served, as extensions have that stand in for a site; else null. */
export function redirectsOut({
  url,
  status,
  headers,
}: Pick<RecordedExchange, 'url' | 'status' | 'headers'>): string | null {
  const location = headerValue(headers, 'location');
  return isRedirect(status) && location !== null && cacheUrl(location, url) === null
    ? location
    : null;
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Whether a response leads to the request that it answers, as from http to https: in the cache all URLs are https. */
export function redirectsToItself(exchange: RecordedExchange): boolean {
  const { method, url, status } = exchange;
  // The other statuses have a form's answer asked for with GET.
  const asksTheSame = method === 'GET' || status === 307 || status === 308;
  const target = redirectTarget(exchange);
  return asksTheSame && target !== null && target === cacheUrl(url);
}
