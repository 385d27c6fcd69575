import type { Resource } from '../manifest.ts';

const ICON_LINK = /<link\s[^>]*\brel\s*=\s*["']?[^"'>]*\bicon\b/i;

/**
 * An empty answer (204) for `/favicon.ico`, which Chromium asks the document's host for after the page has loaded, unless
 * the page names an icon of its own: then null.
 */
export function noFavicon(documentUrl: string, html: string): Resource | null {
  if (ICON_LINK.test(html)) return null;
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
