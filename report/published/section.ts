import { html, type Markup } from '../page/markup.ts';
import { foldedSection } from '../page/section.ts';
import type { ReportView } from '../sections/view.ts';
import { publishedBarFigure } from './bar-figure.ts';
import { besidePublished } from './beside-published.ts';
import { glanceTable } from './glance-table.ts';
import { marks } from './marks.ts';
import { PUBLISHED_DELAYS_MS } from './published-numbers.ts';
import { publishedSiteTable } from './site-table.ts';

/** The name of the preset whose runs are made as the published ones were. */
const PRESET = 'published';

/** Whether the run was made to stand beside the published numbers. */
export function isBesidePublished({ run }: Pick<ReportView, 'run'>): boolean {
  return run.preset === PRESET;
}

/** The published numbers and those of a run that was made in the same way; null for any other run. */
export function publishedSection(view: ReportView): Markup | null {
  if (!isBesidePublished(view)) return null;
  const beside = besidePublished(view.run, view.summary.rows);
  const chromium = view.run.versions.chromium;
  const isGenerated = view.run.subjects.some(({ kind }) => kind === 'generated');
  return foldedSection('published', {
    title: 'Beside the published numbers',
    about: 'document time beside that of December 2018',
    content: html`<p>In December 2018 the report “QUIC vs HTTPS” compared the two on 30 sites. What it calls page load time was, as its HARs show, the
time of one request: that for the HTML document, on a page that was loaded again. So <strong>document time is the only number
of this run that can be set beside it</strong>; page load time and all others cannot.</p>
<p>Theirs is Google QUIC 43 in Chrome 70, ours is the QUIC of the IETF (HTTP/3) in Chromium${chromium !== undefined && html` <bdi>${chromium}</bdi>`}:
not the same protocol, browser or machine.${isGenerated && ' Their pages were the live ones; those of this run are generated in the same shape.'} Milliseconds may differ for any of these reasons. How many round trips an added delay costs depends
much less on them, and is the number to look at.</p>
${glanceTable(beside)}
<h3>Mean document time, site by site</h3>
${publishedSiteTable(beside)}
${marks(beside)}
<h3>The same as bars</h3>
<p>Pale bars were published, full ones are of this run. Each chart has an axis of its own.</p>
${PUBLISHED_DELAYS_MS.map((delayMs) => publishedBarFigure(view, beside, delayMs))}`,
  });
}
