import { html, type Markup } from './markup.ts';

/** A link from the report to a HAR beside it; a path that leads anywhere else is shown as text. */
export function harLink(har: string | null): Markup {
  if (har === null) return html`<span class="quiet">none</span>`;
  const segments = har.split('/');
  const staysBelow = segments.every(
    (segment) => segment !== '' && segment !== '.' && segment !== '..' && !/[\\\0]/.test(segment),
  );
  if (!staysBelow || segments[0] !== 'har') return html`<span class="quiet">${har}</span>`;
  // toWellFormed: a lone surrogate would make encodeURIComponent throw.
  const href = segments.map((segment) => encodeURIComponent(segment.toWellFormed())).join('/');
  return html`<a href="${href}">HAR</a>`;
}
