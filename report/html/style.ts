/** The report's only style sheet: light and dark by the reader's setting, light on paper. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #ffffff;
  --raised: #f6f7f9;
  --ink: #16202c;
  --quiet: #566270;
  --line: #dde2e8;
  --link: #0a58b8;
  --notice: #fff5d6;
  --notice-line: #d6a400;
  --dot: #0b1420;
  --stack-1: #2f7fc1;
  --stack-2: #e0902a;
  --stack-3: #8d97a3;
  --stack-4: #2a9d76;
  --stack-5: #c4699f;
  --stack-6: #8a6d3b;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #12171d;
    --raised: #1a2129;
    --ink: #e6ebf0;
    --quiet: #a0acb8;
    --line: #2e3843;
    --link: #7db7f5;
    --notice: #332a0c;
    --notice-line: #b98f10;
    --dot: #f4f7fa;
    --stack-1: #3b87c8;
    --stack-2: #c97f24;
    --stack-3: #76818d;
    --stack-4: #2f9b78;
    --stack-5: #b8639a;
    --stack-6: #957a4a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto;
  padding: 1.5rem 1.25rem 4rem;
  max-width: 68rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.9rem; margin: 0.5rem 0 0.25rem; letter-spacing: -0.01em; }
h2 { font-size: 1.3rem; margin: 2.75rem 0 0.75rem; padding-top: 0.9rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.75rem 0 0.5rem; }
p, ul, dl { max-width: 46rem; margin: 0.6rem 0; }
ul { padding-left: 1.25rem; }
li { margin: 0.3rem 0; }
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code { font: 0.9em ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.75rem 0; padding: 0.75rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 0.4rem; }
.quiet { color: var(--quiet); }
.name, code { overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0; list-style: none; font-size: 0.925rem; max-width: none; }
.notice { margin: 1rem 0; padding: 0.7rem 1rem; max-width: 46rem; background: var(--notice); border-left: 4px solid var(--notice-line); border-radius: 0.25rem; }
.notice p { margin: 0.2rem 0; }
.answer { margin: 1.25rem 0; padding: 1rem 1.25rem 0.75rem; background: var(--raised); border: 1px solid var(--line); border-radius: 0.6rem; }
.answer h2 { margin: 0 0 0.25rem; padding: 0; border: 0; }
.answers { padding: 0; margin: 0.9rem 0; max-width: none; list-style: none; }
.answers > li { margin: 0; padding: 0.8rem 0; border-top: 1px solid var(--line); }
.answers h3 { margin: 0; }
.answers .figures { margin: 0.4rem 0; }
.answers p { margin: 0; font-size: 0.925rem; color: var(--quiet); }
.many > li { display: grid; grid-template-columns: 14rem 1fr; gap: 0 1.5rem; padding: 0.6rem 0; }
.many h3 { font-size: 0.95rem; font-weight: 400; color: var(--quiet); }
.many .colon { display: none; }
.many .name { display: block; color: var(--ink); font-weight: 650; }
.many .figures { margin: 0 0 0.2rem; gap: 0.3rem 1rem; }
.many .figures div { min-width: 9.5rem; border-left-width: 4px; padding-left: 0.6rem; }
.many .figures dd { font-size: 1.2rem; }
.jump { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0; list-style: none; }
.figures { display: flex; flex-wrap: wrap; gap: 0.75rem 2.5rem; margin: 0.9rem 0; max-width: none; }
.figures div { padding-left: 0.75rem; border-left: 5px solid var(--stack); }
.figures dt { font-size: 0.9rem; color: var(--quiet); }
.figures dd { margin: 0; font-size: 1.7rem; font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
.figures small { font-size: 0.9rem; font-weight: 400; color: var(--quiet); }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0; margin: 0.75rem 0; list-style: none; font-size: 0.925rem; }
.swatch { display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.45em; border-radius: 2px; background: var(--stack); vertical-align: -0.04em; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.swatch.dot { width: 0.45em; height: 0.45em; border-radius: 50%; background: var(--dot); vertical-align: 0.12em; }
.stack-1 { --stack: var(--stack-1); } .stack-2 { --stack: var(--stack-2); } .stack-3 { --stack: var(--stack-3); }
.stack-4 { --stack: var(--stack-4); } .stack-5 { --stack: var(--stack-5); } .stack-6 { --stack: var(--stack-6); }
figure { margin: 1rem 0; }
figcaption { max-width: 46rem; margin-bottom: 0.5rem; }
.scroll { overflow-x: auto; }
.scroll svg { min-width: 44rem; width: 100%; height: auto; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0 0 0.6rem; color: var(--quiet); max-width: min(46rem, calc(100vw - 2.5rem)); }
th, td { padding: 0.3rem 0.7rem; text-align: right; vertical-align: baseline; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { font-weight: 600; vertical-align: bottom; border-bottom: 2px solid var(--line); }
thead th[colspan] { text-align: center; }
.text { text-align: left; }
.wrap { white-space: normal; min-width: 14rem; }
tbody th { font-weight: 400; text-align: left; }
.wide { width: 100%; }
.site-row th { padding-top: 1rem; padding-bottom: 0.35rem; white-space: normal; border-bottom: 0; }
.site-row > th > div { position: sticky; left: 0.7rem; max-width: min(60rem, calc(100vw - 4rem)); }
.site-row .name { font-weight: 650; }
.site-row .quiet { display: block; font-size: 0.85rem; }
tr > th.stack { padding-left: 1.4rem; white-space: nowrap; position: sticky; left: 0; background: var(--paper); }
.main { font-weight: 650; }
.networks { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); gap: 1.5rem 2.5rem; align-items: start; margin: 1.25rem 0; }
.network { width: 100%; }
.network caption { max-width: none; }
.network th, .network td { padding-left: 0; }
.network td { white-space: normal; }
.network td .quiet { white-space: nowrap; }
.network thead td { border-bottom-width: 2px; }
.network th:last-child, .network td:last-child { padding-right: 0; }
.network caption strong { color: var(--ink); }
.ends td { overflow-wrap: anywhere; }
.growth thead th { white-space: normal; }
.loads th { white-space: normal; }
.loads th:nth-child(n + 3) { min-width: 5.6rem; }
.loads .wrap { min-width: 11rem; }
.loads :is(th, td):nth-child(2), .loads :is(th, td):nth-child(3), .loads :is(th, td):last-child { text-align: left; }
.lacking { color: var(--ink); background: var(--notice); }
details { margin: 0.4rem 0; }
summary { cursor: pointer; padding: 0.2rem 0; }
details > .scroll, details > p { margin-left: 1.1rem; }
.facts th { padding-left: 0; white-space: nowrap; color: var(--quiet); }
.facts td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.fact-tables { display: flex; flex-wrap: wrap; gap: 1.5rem 3rem; margin-top: 1.75rem; }
.facts caption { color: var(--ink); font-weight: 650; font-size: 1.05rem; padding-bottom: 0.3rem; }
.definitions dt { font-weight: 650; margin-top: 0.6rem; }
.definitions dd { margin: 0 0 0 1.1rem; }
footer { margin-top: 3rem; padding-top: 0.75rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.875rem; }
@media (max-width: 40rem) {
  body { padding: 1rem 0.9rem 3rem; }
  h1 { font-size: 1.5rem; }
  .answer { padding: 0.8rem 0.9rem 0.5rem; }
  .figures { gap: 0.6rem 1.5rem; }
  .many > li { display: block; }
  .many .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.4rem, 1fr)); margin: 0.3rem 0; gap: 0.3rem 0.5rem; }
  .many .figures div { min-width: 0; padding-left: 0.35rem; white-space: nowrap; }
  .many .figures dt { font-size: 0.75rem; }
  .many .figures dd { font-size: 1.05rem; }
  .senders :is(th, td), .network th { white-space: normal; }
  .network :is(th, td) { padding-right: 0.6rem; }
  .figures dd { font-size: 1.4rem; }
  th, td { padding: 0.3rem 0.5rem; }
  .site-row > th > div { left: 0.5rem; }
}
@page { margin: 14mm 12mm; }
@media print {
  html { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  nav, .jump, .page-loads, .unprinted { display: none; }
  .scroll { overflow: visible; }
  .scroll svg { min-width: 0; max-height: 205mm; }
  .answer, .notice, figure, tbody, p, li { break-inside: avoid; }
  .network, .answers > li { break-inside: avoid; }
  .ends tbody { break-inside: auto; }
  h2, h3, caption { break-after: avoid; }
  p, ul, dl, caption, figcaption, .notice, .site-row > th > div { max-width: none; }
  .site-row > th > div, tr > th.stack { position: static; }
  table { font-size: 8pt; }
  th, td { padding: 0.15rem 0.35rem; }
  .site-row th { padding-top: 0.6rem; }
  a { color: inherit; text-decoration: none; }
  details.printed::details-content { content-visibility: visible; block-size: auto; }
}
`;
