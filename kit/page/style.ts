import { stackColours, stackStyle } from './stack.ts';

/** Colours: light or dark by the reader's setting, light on paper. */
export const COLOURS = `
:root {
  color-scheme: light dark;
  --paper: #ffffff;
  --raised: #f6f7f9;
  --ink: #16202c;
  --quiet: #566270;
  --line: #dfe3e8;
  --band: #e9ecf0;
  --link: #0a58b8;
  --notice: #fff5d6;
  --notice-line: #d6a400;
  ${stackColours('light')}
  --verdict-faster: #0b6e69;
  --verdict-slower: #ad2246;
  --verdict-same: #3f4d5d;
  --verdict-undecided: #5d6874;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #12171d;
    --raised: #1a2129;
    --ink: #e6ebf0;
    --quiet: #a3aeb9;
    --line: #2c3540;
    --band: #222b35;
    --link: #82baf6;
    --notice: #332a0c;
    --notice-line: #b98f10;
    ${stackColours('dark')}
    --verdict-faster: #45bdb4;
    --verdict-slower: #f07d97;
    --verdict-same: #c3ccd5;
    --verdict-undecided: #9aa6b2;
  }
}
`;

/** Style of charts, whose own styles the policy forbids. */
export const CHART = `.chart { display: block; width: 100%; min-width: 65rem; max-width: 72rem; height: auto; overflow: visible; color: var(--quiet); fill: currentColor; font: 12px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; font-variant-numeric: tabular-nums; text-anchor: middle; white-space: pre; print-color-adjust: exact; -webkit-print-color-adjust: exact; }`;

export const STYLE = `${COLOURS}* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0 auto;
  padding: 1.5rem 1.25rem 4rem;
  max-width: 82rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.9rem; margin: 0.5rem 0 0.25rem; letter-spacing: -0.012em; }
h2 { font-size: 1.4rem; margin: 3.25rem 0 0.75rem; padding-top: 1rem; border-top: 1px solid var(--line); letter-spacing: -0.006em; }
h3 { font-size: 1.1rem; margin: 2.25rem 0 0.5rem; }
h4 { font-size: 1rem; margin: 1.4rem 0 0.4rem; }
h3 .numbers, h4 .numbers { font-weight: 400; color: var(--quiet); }
p, ul, dl { max-width: 46rem; margin: 0.6rem 0; }
ul { padding-left: 1.25rem; }
li { margin: 0.3rem 0; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code { font: 0.9em ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.75rem 0; padding: 0.75rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 0.4rem; }
small { display: block; font-size: 0.82em; font-weight: 400; line-height: 1.3; color: var(--quiet); }
.quiet { color: var(--quiet); }
.hidden { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.name, code { overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0; list-style: none; font-size: 0.925rem; max-width: none; }
.notice { margin: 1rem 0; padding: 0.5rem 1rem; font-size: 0.925rem; background: var(--notice); border-left: 4px solid var(--notice-line); border-radius: 0.25rem; }
.notice p { margin: 0.1rem 0; max-width: none; }
.answer { margin: 1.25rem 0; padding: 1.1rem 1.4rem 0.9rem; background: var(--raised); border: 1px solid var(--line); border-radius: 0.6rem; }
.answer h2 { margin: 0 0 0.5rem; padding: 0; border: 0; font-size: 1.1rem; }
.answer p { max-width: 60rem; }
.answer > p { font-size: 0.925rem; }
.advice { margin-bottom: 0.9rem; font-size: 0.95rem; }
.answer caption { max-width: min(46rem, calc(100vw - 4.5rem)); }
.advice .sentence { font-size: 1.35rem; font-weight: 650; }
.answers { padding: 0; margin: 0.5rem 0 1rem; max-width: none; list-style: none; }
.answers > li { display: grid; grid-template-columns: 11rem 1fr; gap: 0 1.5rem; margin: 0; padding: 0.9rem 0; border-top: 1px solid var(--line); }
.answers > li:last-child { border-bottom: 1px solid var(--line); }
.answers h3 { margin: 0.1rem 0 0; font-size: 1rem; font-weight: 400; }
.answers h3 .name { display: block; font-weight: 650; }
.answers h3 .numbers { font-size: 0.875rem; }
.answers h3 .colon { display: none; }
.answers p { margin: 0 0 0.2rem; }
.other-pair { margin-top: 0.8rem; }
.counts { font-size: 0.9rem; color: var(--quiet); }
.counts strong { color: var(--ink); }
.pictured > li { display: block; padding: 0.7rem 0 0.6rem; }
.pictured h3 { margin: 0 0 0.15rem; }
.pictured h3 .name { display: inline; margin-right: 0.6rem; }
.picture + .picture { margin-top: 0.9rem; }
.picture { display: grid; grid-template-columns: minmax(0, 1fr) 32.5rem; gap: 0.4rem 1.75rem; align-items: start; }
.sentence { font-size: 1.02rem; line-height: 1.4; text-wrap: pretty; }
.protocol-pair .sentence, .other-pair .sentence { font-weight: 600; }
.protocol-pair .sentence { font-size: 1.25rem; line-height: 1.3; }
.programs { font-size: 0.875rem; color: var(--quiet); }
.sure { color: var(--quiet); }
.measures { display: grid; grid-template-columns: minmax(10.5rem, max-content) minmax(9.5rem, max-content) 1fr auto; column-gap: 0.9rem; margin: 0.4rem 0; padding: 0; max-width: none; list-style: none; font-size: 0.925rem; }
.measures li { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; align-items: baseline; margin: 0; padding: 0.2rem 0; border-top: 1px solid var(--line); }
.measures .counts { grid-column: 1 / -1; margin: 0; }
.measures .sure { white-space: nowrap; }
.pictured details { margin: 0; }
.pictured > li > details > summary { font-size: 0.925rem; }
.pictured details > .picture { padding: 0.4rem 0 0.5rem 1.1rem; }
.forest { margin: 0; }
.forest > details > summary { font-size: 0.9rem; color: var(--quiet); }
.forest:has(> details[open]) { display: contents; }
.forest > details[open] { grid-column: 1 / -1; }
.narrow { display: none; }
.meanings { font-size: 0.9rem; }
.meanings .legend { display: inline-flex; margin: 0; }
.verdict { white-space: nowrap; font-weight: 600; }
.verdict > span { display: inline-block; min-width: 0.8em; text-align: center; font-family: "DejaVu Sans", "Noto Sans Symbols 2", sans-serif; }
.verdict-faster { color: var(--verdict-faster); }
.verdict-slower { color: var(--verdict-slower); }
.verdict-same { color: var(--verdict-same); }
.verdict-undecided { color: var(--verdict-undecided); font-weight: 400; }
.reasons { list-style: none; padding: 0; max-width: 60rem; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0; margin: 0.4rem 0; list-style: none; font-size: 0.9rem; max-width: none; }
.legend li { margin: 0; }
.swatch { display: inline-block; width: 0.75em; height: 0.75em; margin-right: 0.45em; border-radius: 2px; background: var(--stack); vertical-align: -0.03em; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.swatch.band { width: 1.6em; background: var(--band); border: 1px solid var(--line); }
.sign { margin-right: 0.4em; color: var(--stack, var(--ink)); font-family: "DejaVu Sans", "Noto Sans Symbols 2", sans-serif; }
${stackStyle}
.line-sample { width: 28px; height: 8px; margin-right: 0.45em; vertical-align: 0.12em; fill: none; stroke-width: 2; }
.line-model { stroke: var(--quiet); stroke-width: 1; }
figure { margin: 1rem 0 1.75rem; }
figcaption { margin-bottom: 0.25rem; }
figcaption h4 { margin-bottom: 0.2rem; }
figcaption p { margin: 0.2rem 0; }
.scroll { overflow-x: auto; }
.scroll + .scroll { margin-top: 1.75rem; }
${CHART}
.wide .chart { min-width: 32.5rem; max-width: 45rem; }
.narrow .chart { min-width: 0; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(32.5rem, 100%), 1fr)); gap: 0.75rem 1.5rem; max-width: 72rem; }
.panels .chart, .small-chart .chart { min-width: 32.5rem; }
.side-by-side { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; align-items: flex-start; }
.side-by-side > .scroll { max-width: 100%; }
:is(.side-by-side, .networks, .fact-tables) > .scroll { margin-top: 0; }
.side-by-side + .side-by-side { margin-top: 1.75rem; }
.side-by-side caption { max-width: 30rem; text-wrap: pretty; }
.small-chart { flex: 1 1 22rem; min-width: 0; max-width: min(36rem, 100%); overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0 0 0.6rem; color: var(--quiet); max-width: min(46rem, calc(100vw - 2.5rem)); }
th, td { padding: 0.3rem 0.6rem; text-align: right; vertical-align: baseline; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { font-weight: 600; vertical-align: bottom; border-bottom: 2px solid var(--line); }
thead td { border-bottom: 2px solid var(--line); }
thead th[colspan] { text-align: center; border-bottom: 1px solid var(--line); white-space: normal; }
.text { text-align: left; }
.wrap { white-space: normal; min-width: 12rem; overflow-wrap: anywhere; }
tbody th { font-weight: 400; text-align: left; }
.main { font-weight: 650; }
.edge { border-left: 1px solid var(--line); }
.sites { width: 100%; }
.sites :is(tbody th, thead tr:first-child > th:first-child) { position: sticky; left: 0; z-index: 1; background: var(--paper); text-align: left; white-space: normal; min-width: 9rem; max-width: 13rem; padding-left: 0; }
.sites :is(th, td) { padding-inline: 0.45rem; }
.sites tbody th { overflow-wrap: anywhere; }
.sites tbody tr:hover > * { background: var(--raised); }
th button { all: unset; cursor: pointer; padding: 0.1rem 0; }
th button:hover { text-decoration: underline; }
th button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
th button::after { content: "\\2195" / ""; display: inline-block; width: 0.9em; margin-left: 0.1em; text-align: center; color: var(--quiet); opacity: 0.55; font-weight: 400; }
th[aria-sort] button::after { color: var(--link); opacity: 1; }
th[aria-sort="ascending"] button::after { content: "\\2191" / ""; }
th[aria-sort="descending"] button::after { content: "\\2193" / ""; }
.site-row th { padding-top: 0.9rem; font-weight: 650; white-space: normal; }
.site-row ~ tr > th { padding-left: 1.2rem; }
.networks { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(26rem, 100%), 1fr)); gap: 1.5rem 2.5rem; align-items: start; margin: 1.25rem 0; }
.network { width: 100%; }
.network caption { max-width: none; }
.network th, .network td { padding-left: 0; }
.network td { white-space: normal; }
.network td .quiet { white-space: nowrap; }
.network th:last-child, .network td:last-child { padding-right: 0; }
.network caption strong { color: var(--ink); }
.ends td { overflow-wrap: anywhere; }
.property::first-letter { text-transform: uppercase; }
.metrics thead th { white-space: normal; max-width: 8rem; }
.loads td { text-align: left; white-space: normal; line-height: 1.8; word-spacing: 0.35em; max-width: 56rem; }
.lacking { color: var(--ink); background: var(--notice); }
.folded h2, .folded > summary h3 { display: inline; margin: 0; padding: 0; border: 0; }
.folded h2, .folds h2 { font-size: 1.2rem; }
.folds h2 { margin: 0; padding: 0.55rem 0 0; }
.folded > summary h3 { font-size: 1rem; }
.folded summary > .quiet { margin-left: 0.5rem; font-size: 0.875rem; }
.folded > details > summary { padding: 0.55rem 0; border-top: 1px solid var(--line); }
.folded > details { margin: 0; }
.folded > details[open] { padding-bottom: 1.5rem; }
details { margin: 0.4rem 0; }
summary { cursor: pointer; padding: 0.2rem 0; }
details.data > summary, .site details > summary { font-size: 0.9rem; color: var(--quiet); }
details > .scroll, details > p { margin-left: 1.1rem; }
.site { margin: 0; border-bottom: 1px solid var(--line); }
.site > p { margin-left: 0; }
.site > summary { padding: 0.55rem 0; }
.site > summary h3 { display: inline; margin: 0; font-size: 1rem; }
.site > summary .quiet { margin-left: 0.5rem; font-size: 0.875rem; }
.site[open] { padding-bottom: 1.25rem; }
.facts th { padding-left: 0; color: var(--quiet); white-space: normal; min-width: 8rem; }
.facts td { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.fact-tables { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: 1.75rem 2.5rem; margin-top: 1.75rem; align-items: start; }
.facts caption { color: var(--ink); font-weight: 650; font-size: 1rem; padding-bottom: 0.3rem; }
.definitions dt { font-weight: 650; margin-top: 0.6rem; }
.definitions dd { margin: 0 0 0 1.1rem; }
footer { margin-top: 3rem; padding-top: 0.75rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.875rem; }
@media (max-width: 80rem) {
  .picture { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 44rem) {
  .wide { display: none; }
  .narrow { display: block; }
  .measures { grid-template-columns: 1fr auto; }
  .measures .verdict { order: -1; grid-column: 2; }
  .measures li > :first-child { order: -2; }
  .measures li > :nth-child(n + 2):not(.verdict) { grid-column: 1 / -1; }
}
@media (max-width: 40rem) {
  body { padding: 1rem 0.9rem 3rem; }
  h1 { font-size: 1.5rem; }
  .answer { padding: 0.8rem 0.9rem 0.5rem; }
  .answers > li { display: block; }
  .answers h3 { margin-bottom: 0.4rem; }
  .network th { white-space: normal; }
  .network :is(th, td) { padding-right: 0.6rem; }
  th, td { padding: 0.3rem 0.45rem; }
  .sites :is(tbody th, thead tr:first-child > th:first-child) { min-width: 6.5rem; max-width: 8rem; }
}
@page { margin: 14mm 12mm; }
@media print {
  html { font-size: 9.5pt; }
  body { max-width: none; padding: 0; }
  nav, details.data, .unprinted, th button::after { display: none; }
  .scroll { overflow: visible; }
  .chart { min-width: 0; max-width: none; max-height: 225mm; }
  .panels { grid-template-columns: 1fr 1fr; }
  .picture, .notice, figure, tr, p, li { break-inside: avoid; }
  .picture { grid-template-columns: minmax(0, 1fr); }
  .wide { display: block; }
  .narrow { display: none; }
  .network { break-inside: avoid; }
  h2, h3, h4, caption, thead { break-after: avoid; }
  p, ul, dl, caption, .notice { max-width: none; }
  table { font-size: 7.5pt; }
  th, td { padding: 0.15rem 0.3rem; }
  .sites { font-size: 6.3pt; }
  .sites :is(th, td) { padding-inline: 0.14rem; }
  .sites :is(tbody th, thead tr:first-child > th:first-child) { position: static; min-width: 18mm; max-width: 26mm; }
  a { color: inherit; text-decoration: none; }
  details.printed::details-content { content-visibility: visible; block-size: auto; }
  .site { break-inside: avoid; }
}
`;
