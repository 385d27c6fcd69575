import type { Resource } from '../manifest.ts';

/** The head of a page ends before. */
const HEAD_CHARACTERS = 4_000_000;
/** Looks at each character once: what may repeat never overlaps what follows it. */
const LINK = /<link\s[^<>]{0,4000}/gi;
const RELATIONS = /\srel\s*=\s*(?:"([^"<>]*)|'([^'<>]*)|([^\s"'<>]+))/i;
const ICON = /\bicon\b/i;

/**
 * An empty answer (204) for `/favicon.ico`, which Chromium asks the document's host for after the page has loaded, unless
 * the page names an icon of its own: then null.
 */
export function noFavicon(documentUrl: string, html: string): Resource | null {
  if (namesIcon(html.slice(0, HEAD_CHARACTERS))) return null;
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

function namesIcon(head: string): boolean {
  for (const [link] of head.matchAll(LINK)) {
    const [, double, single, bare] = RELATIONS.exec(link) ?? [];
    if (ICON.test(double ?? single ?? bare ?? '')) return true;
  }
  return false;
}
