import path from 'node:path';
import { html, type Insert, Markup } from './markup.ts';

/** A link from the report to a HAR of the run; other paths are shown as text. */
export function harLink(har: string | null, text: Insert = 'HAR'): Markup {
  if (har === null) return html`<span class="quiet">none</span>`;
  const href = harHref(har);
  return href === null
    ? html`<span class="quiet">${har}</span>`
    : html`<a href="${href}">${text}</a>`;
}

/** Relative URL of a HAR; null for a path outside the HAR folder. */
export function harHref(har: string): string | null {
  return fileHref(har, ['har']);
}

/** Relative URL of a file of a load; null for a path outside these folders. */
export function fileHref(file: string, folders: readonly string[]): string | null {
  const segments = file.split('/');
  const staysBelow = segments.every(
    (segment) => segment !== '' && segment !== '.' && segment !== '..' && !/[\\\0]/.test(segment),
  );
  if (!staysBelow || !folders.includes(segments[0] ?? '')) return null;
  return encodePath(segments);
}

function encodePath(segments: readonly string[]): string {
  // encodeURIComponent throws on lone surrogates.
  return segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/');
}

/** Base of links from a page's folder to a run's files: `../run/`. */
export function pageBase(folder: string, run: string): string {
  return `${encodePath(path.relative(folder, run).split(path.sep))}/`;
}

/** Prefixes links to files with a base; links within the page stay. */
export function withBase(base: string, markup: Markup): Markup {
  if (base === '') return markup;
  // Texts are escaped, so that every link comes from a template.
  const text = markup.text.replaceAll(/<a href="(?!#|[a-z]+:)/g, (link) => `${link}${base}`);
  return new Markup(text, markup.charts);
}
