/** The part of the page's style sheet that waterfalls need; uses the page's own variables for everything but the phases. */
export const waterfallStyle = `
:root {
  --phase-held: #8b96a2;
  --phase-look-up: #b5487f;
  --phase-connect: #7a4fb5;
  --phase-wait: #d39a1e;
  --phase-receive: #12807a;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --phase-held: #77828e;
    --phase-look-up: #e285b4;
    --phase-connect: #b08be8;
    --phase-wait: #e0b04a;
    --phase-receive: #3fb8ae;
  }
}
.waterfall { font-size: 11px; }
.waterfall .grid { stroke: var(--line); }
.waterfall .rows text { fill: var(--ink); text-anchor: start; }
.waterfall .rows path { stroke: transparent; stroke-width: 12; pointer-events: stroke; }
.waterfall .rows g:hover path { stroke: var(--band); }
.waterfall > path, .waterfall > text { pointer-events: none; }
.waterfall .held { fill: var(--phase-held); }
.waterfall .lookUp { fill: var(--phase-look-up); }
.waterfall .connect { fill: var(--phase-connect); }
.waterfall .wait { fill: var(--phase-wait); }
.waterfall .receive { fill: var(--phase-receive); }
.waterfall .folded { fill: var(--quiet); opacity: 0.55; }
.waterfall .mark { fill: var(--ink); }
.waterfall path.mark { stroke: var(--ink); stroke-width: 1; fill: none; }
.waterfall path.FCP { stroke-dasharray: 1 3; }
.waterfall path.LCP { stroke-dasharray: 5 3; }
.waterfall path.DCL { stroke-dasharray: 8 3 2 3; }
.phase { display: inline-block; width: 1.5em; margin-right: 0.45em; vertical-align: 0.15em; background: var(--phase); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.phase-held { --phase: var(--phase-held); height: 2px; vertical-align: 0.3em; }
.phase-lookUp { --phase: var(--phase-look-up); height: 5px; }
.phase-connect { --phase: var(--phase-connect); height: 5px; }
.phase-wait { --phase: var(--phase-wait); height: 5px; }
.phase-receive { --phase: var(--phase-receive); height: 9px; vertical-align: 0; }
.waterfall-title { margin: 0.9rem 0 0.1rem; }
.requests tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; max-width: 28rem; }
`;
