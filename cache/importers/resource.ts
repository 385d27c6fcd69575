import { createHash } from 'node:crypto';
import { noContent, type Resource } from '../manifest.ts';

/** The manifest's fields about a body file, and its name in `bodies/`. */
export function bodyFile(index: number, url: string, bytes: Uint8Array) {
  if (bytes.length === 0) return { body: null, wireBytes: 0, sha256: null };
  return {
    body: `bodies/${String(index).padStart(4, '0')}-${readableName(url)}`,
    wireBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
}

/** The end of the URL's path, for readability; safe as a file name on any system. */
function readableName(url: string): string {
  const last = new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? 'index.html';
  return last.replace(/%[0-9A-F]{2}|[^A-Za-z0-9._-]/gi, '_').slice(-60);
}

/** Longer than the head of any page. */
const HEAD_CHARACTERS = 4_000_000;
/** Linear time: repetitions never overlap what follows. */
const LINK = /<link\s[^<>]{0,4000}/gi;
const RELATIONS = /\srel\s*=\s*(?:"([^"<>]*)|'([^'<>]*)|([^\s"'<>]+))/i;
const ICON = /\bicon\b/i;

/**
 * An empty answer (204) for `/favicon.ico`, which Chromium requests from the document's host after the load, unless
 * the page names an icon of its own: then null.
 */
export function noFavicon(documentUrl: string, html: string): Resource | null {
  if (namesIcon(html.slice(0, HEAD_CHARACTERS))) return null;
  return noContent('GET', new URL('/favicon.ico', documentUrl).href);
}

function namesIcon(head: string): boolean {
  for (const [link] of head.matchAll(LINK)) {
    const [, double, single, bare] = RELATIONS.exec(link) ?? [];
    if (ICON.test(double ?? single ?? bare ?? '')) return true;
  }
  return false;
}
