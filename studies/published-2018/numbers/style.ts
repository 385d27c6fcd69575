/** The part of the page's style sheet that the published numbers need. */
export const publishedStyle = `
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
