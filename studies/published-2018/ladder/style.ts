/** The part of the page's style sheet that a ladder needs. */
export const ladderStyle = `
:root { --ladder-none: #b4bcc5; }
@media screen and (prefers-color-scheme: dark) { :root { --ladder-none: #55606c; } }
.swatch.lower { background: var(--verdict-faster); }
.swatch.higher { background: var(--verdict-slower); }
.swatch.none { background: var(--ladder-none); }
.swatch.whole { background: color-mix(in srgb, var(--stack-1) 55%, transparent); }
.swatch.theirs { background: none; border: 1px dashed var(--stack-1); }
.rungs { width: 100%; }
.rungs :is(th, td) { vertical-align: top; }
.rungs td.text, .rungs tbody th { white-space: normal; }
.rungs thead th:first-child { padding-left: 0; }
.rungs tbody th { min-width: 9rem; font-weight: 650; padding-left: 0; }
.rungs td.change { min-width: 20rem; max-width: 30rem; }
.rung-sites thead th { white-space: normal; min-width: 5.5rem; }
`;
