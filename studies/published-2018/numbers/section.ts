import { html } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import type { ReportView } from '../../../report/sections/view.ts';
import { publishedBarFigure } from './bar-figure.ts';
import { compareWithPublished } from './published-comparison.ts';
import { PUBLISHED_DELAYS_MS } from './published-numbers.ts';
import { glanceTable, marks, publishedSiteTable } from './tables.ts';

/** Preset of runs made like the published ones. */
const PRESET = 'published';

const STYLE = `
.swatch.pale { background: color-mix(in srgb, var(--stack) 35%, transparent); border: 1px solid var(--stack); }
.published { width: 100%; }
.published thead th { white-space: normal; text-wrap: balance; }
.published :is(th, td) { padding-inline: 0.4rem; }
.published td { position: relative; }
.published :is(tbody, tfoot) th { white-space: nowrap; }
.published :is(tbody th, tfoot th, thead tr:first-child > th:first-child) { padding-left: 0; }
.published tfoot :is(th, td) { border-top: 2px solid var(--line); border-bottom: 0; font-weight: 650; }
.published tfoot small { font-weight: 400; }
.published tfoot th { text-align: left; }
.published .mark { margin-right: 0.3em; color: var(--verdict-slower); font-weight: 650; }
.marks { max-width: 60rem; }
.marks ul { columns: 2 18rem; max-width: none; font-size: 0.9rem; color: var(--quiet); margin: 0.3rem 0 0.8rem; }
.marks ul li { margin: 0; break-inside: avoid; }
@media print { .published { font-size: 6.3pt; } .published :is(th, td) { padding-inline: 0.14rem; } }
`;

/** Compares the published numbers with those of a run of the preset. */
export const publishedSection: Section<ReportView> = {
  isShown: ({ run }) => run.preset === PRESET,
  style: STYLE,
  ...defineFoldedSection('published', 'Published numbers', (view) => {
    const comparison = compareWithPublished(view.run, view.summary.rows);
    const chromium = view.run.versions.chromium;
    const isGenerated = view.run.subjects.some(({ kind }) => kind === 'generated');
    return {
      title: 'Comparison with the published numbers',
      about: 'document time, compared with December 2018',
      content: html`<p>In December 2018 the report “QUIC vs HTTPS” compared the two on 30 sites. As its HARs show, its “page load time” was the
time of one request: that for the HTML document, on a reloaded page. So <strong>document time is the only number
of this run that can be compared with it</strong>; page load time and all other numbers cannot.</p>
<p>Theirs is Google QUIC 43 in Chrome 70, ours is the QUIC of the IETF (HTTP/3) in Chromium${chromium !== undefined && html` <bdi>${chromium}</bdi>`}:
not the same protocol, browser or machine.${isGenerated && ' Their pages were live; those of this run are generated in the same shape.'} Milliseconds may differ for any of these reasons. The number of round trips that an added delay costs depends
much less on them, and is the number to compare.</p>
${glanceTable(comparison)}
<h3>Mean document time, site by site</h3>
${publishedSiteTable(comparison)}
${marks(comparison)}
<h3>The same as bars</h3>
<p>Pale bars were published, full ones belong to this run. Each chart has its own axis.</p>
${PUBLISHED_DELAYS_MS.map((delayMs) => publishedBarFigure(view, comparison, delayMs))}`,
    };
  }),
};
