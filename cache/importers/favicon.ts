import type { Resource } from '../manifest.ts';

/** Bounded, so that no page makes the search long. */
const LINK = /<link\s[^<>]{0,4000}/gi;
const ICON = /\brel\s*=\s*["']?[^"'>]{0,100}\bicon\b/i;

/**
 * An empty answer (204) for `/favicon.ico`, which Chromium asks the document's host for after the page has loaded, unless
 * the page names an icon of its own: then null.
 */
export function noFavicon(documentUrl: string, html: string): Resource | null {
  if ((html.match(LINK) ?? []).some((link) => ICON.test(link))) return null;
  return {
    url: new URL('/favicon.ico', documentUrl).href,
    method: 'GET',
    status: 204,
    type: 'other',
    headers: [],
    body: null,
    contentEncoding: null,
    wireBytes: 0,
    decodedBytes: 0,
    sha256: null,
  };
}
