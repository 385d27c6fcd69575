import path from 'node:path';
import { html, type Insert, Markup } from './markup.ts';

/** A link from the report to a HAR beside it; a path that leads anywhere else is shown as text. */
export function harLink(har: string | null, text: Insert = 'HAR'): Markup {
  if (har === null) return html`<span class="quiet">none</span>`;
  const href = harHref(har);
  return href === null
    ? html`<span class="quiet">${har}</span>`
    : html`<a href="${href}">${text}</a>`;
}

/** The address of a HAR relative to the report; null for a path that leads anywhere but to the folder of HARs. */
export function harHref(har: string): string | null {
  return fileHref(har, ['har']);
}

/** The same for a file of any load: null for a path that leads out of these folders. */
export function fileHref(file: string, folders: readonly string[]): string | null {
  const segments = file.split('/');
  const staysBelow = segments.every(
    (segment) => segment !== '' && segment !== '.' && segment !== '..' && !/[\\\0]/.test(segment),
  );
  if (!staysBelow || !folders.includes(segments[0] ?? '')) return null;
  return encodePath(segments);
}

function encodePath(segments: readonly string[]): string {
  // toWellFormed: a lone surrogate would make encodeURIComponent throw.
  return segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/');
}

/** What leads from a page in a folder to the files of a run in another one: `../run/`. */
export function pageBase(folder: string, run: string): string {
  return `${encodePath(path.relative(folder, run).split(path.sep))}/`;
}

/** Leads links to files to that base; links within the page stay. */
export function withBase(base: string, markup: Markup): Markup {
  if (base === '') return markup;
  // Texts are escaped: each link was written by a template.
  const text = markup.text.replaceAll(/<a href="(?!#|[a-z]+:)/g, (link) => `${link}${base}`);
  return new Markup(text, markup.charts);
}
