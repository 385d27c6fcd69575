import { harLink } from '../../kit/page/links.ts';
import { html, type Insert, type Markup, scrollRegion } from '../../kit/page/markup.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { bytesText, countText, countWithNoun, millisecondsText } from '../../kit/text/number.ts';
import { shortAddress, timeAxis, waterfallDrawing } from './waterfall-drawing.ts';
import {
  inOneOrder,
  isError,
  phasesOfRequests,
  shownRequests,
  type WaterfallLoad,
  type WaterfallRequest,
} from './waterfall-load.ts';

export interface StackWaterfall {
  arm: { label: string; place: number };
  /** Of the load shown; null: no HAR. */
  har: string | null;
  /** Shown instead of the median load, whose HAR was not kept. */
  inPlace?: boolean;
  /** The load, or why it is missing, as the end of a sentence that begins with the stack. */
  load: WaterfallLoad | { missing: string };
}

/** Limit of rows; the longest requests get them. */
export const MOST_ROWS = 120;

/** The median loads of a site under one condition, a drawing for each stack on one time axis. */
export function waterfallMarkup(
  name: string,
  waterfalls: readonly StackWaterfall[],
  mostRows: number = MOST_ROWS,
): Markup {
  const loads = inOneOrder(waterfalls.flatMap(({ load }) => ('missing' in load ? [] : [load])));
  if (loads.length === 0) return noWaterfalls(waterfalls);
  const axis = timeAxis(
    loads.map(({ pageLoadMs, requests }) => ({
      pageLoadMs,
      lastMs: Math.max(0, ...requests.map(({ endMs }) => endMs)),
    })),
  );
  const cut = loads.some(({ requests }) => requests.some(({ endMs }) => endMs > axis.endMs));
  const tables: Markup[] = [];
  const ordered = loads.values();
  const drawings = waterfalls.map(({ arm, har, inPlace, load: found }) => {
    if ('missing' in found) {
      return html`<p class="waterfall-title">${stackLabel(arm)}: no waterfall, because ${found.missing}.</p>`;
    }
    const load = ordered.next().value ?? found;
    const shown = shownRequests(load.requests, mostRows);
    const { length } = load.requests;
    const folded = shown.folded.length;
    const rest =
      folded > 0 &&
      ` The ${countWithNoun(folded, 'request')} that took least time share the last row; the HAR has them all.`;
    const text = `${countWithNoun(length, 'request')}, page load time ${millisecondsText(load.pageLoadMs)} ms`;
    const table = requestsTable(html`<bdi>${arm.label}</bdi>: times in ms.${rest}`, shown.own);
    tables.push(scrollRegion(`Requests of ${name}, ${arm.label}`, table));
    const label = `Waterfall of the median load of ${name} from ${arm.label}: ${text}. The table below has its numbers.`;
    return html`<p class="waterfall-title">${stackLabel(arm)}: ${text} (${harLink(har)})${inPlace && ', the nearest to the median load among those whose HARs were kept'}.${rest}</p>
${scrollRegion(`Waterfall: ${name}, ${arm.label}`, waterfallDrawing(load, shown, axis, label))}
`;
  });
  return html`<figure>
<figcaption><p>A typical load of each stack (the median; of an even number the faster of the two median loads), from the moment the visitor opens the page. All have one time axis, and the same request has the same row.${
    cut && ' The table has the requests that go on beyond the end of the axis.'
  }</p>
<ul class="legend">${phasesOfRequests(loads.flatMap(({ requests }) => requests)).map(({ name: phase, label }) => html`<li><span class="phase phase-${phase}" aria-hidden="true"></span>${label}</li>`)}<li>FCP, LCP: first and largest contentful paint</li><li>DCL: DOMContentLoaded</li></ul></figcaption>
${drawings}${tables.length > 0 && html`<details class="data"><summary>Numbers of these waterfalls</summary>${tables}</details>`}
</figure>
`;
}

function noWaterfalls(waterfalls: readonly StackWaterfall[]): Markup {
  const reasons = Map.groupBy(waterfalls, ({ load }) => ('missing' in load ? load.missing : ''));
  return html`<p class="quiet">No waterfalls: ${[...reasons]
    .map(([reason, own]) => `${own.map(({ arm }) => arm.label).join(', ')}: ${reason}`)
    .join('; ')}.</p>`;
}

const ADDRESS_CHARACTERS = 120;

/** The requests of a waterfall as a table, in the order of its rows. */
function requestsTable(caption: Insert, requests: readonly WaterfallRequest[]): Markup {
  return table({
    class: 'requests',
    caption,
    columns: [
      ['Request', ({ address }) => shortAddress(address, ADDRESS_CHARACTERS)],
      [
        'Status',
        (request) =>
          isError(request) ? html`<strong>${request.status || 'none'}</strong>` : request.status,
      ],
      [
        'Protocol',
        ({ fromCache, status, protocol }) => (fromCache ? 'cache' : status === 0 ? '–' : protocol),
      ],
      [
        'Size',
        ({ wireBytes, status }) =>
          wireBytes === null || status === 0 ? '–' : bytesText(wireBytes),
      ],
      ['Start', ({ startMs }) => wholeMs(startMs)],
      ...phasesOfRequests(requests).map(
        ({ name, heading }): Column<WaterfallRequest> => [
          heading,
          ({ spans }) => {
            const span = spans.find(({ phase }) => phase === name);
            return span && wholeMs(span.endMs - span.startMs);
          },
        ],
      ),
      ['End', ({ endMs }) => wholeMs(endMs)],
    ],
    items: requests,
  });
}

function wholeMs(valueMs: number): string {
  return countText(Math.round(valueMs));
}

/** Style of waterfalls; only the phases have colours of their own. */
export const waterfallStyle = `
:root {
  --phase-held: #8b96a2;
  --phase-look-up: #b5487f;
  --phase-connect: #7a4fb5;
  --phase-wait: #d39a1e;
  --phase-longer: #b3541e;
  --phase-receive: #12807a;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --phase-held: #77828e;
    --phase-look-up: #e285b4;
    --phase-connect: #b08be8;
    --phase-wait: #e0b04a;
    --phase-longer: #e58a52;
    --phase-receive: #3fb8ae;
  }
}
.waterfall { font-size: 12px; }
.waterfall .grid { stroke: var(--line); }
.waterfall .rows text { fill: var(--ink); text-anchor: start; }
.waterfall .rows .error text { fill: var(--verdict-slower); font-weight: 650; }
.waterfall .rows path { stroke: transparent; stroke-width: 12; pointer-events: stroke; }
.waterfall .rows g:hover path { stroke: var(--band); }
.waterfall > path, .waterfall > text { pointer-events: none; }
.waterfall .held { fill: var(--phase-held); }
.waterfall .lookUp { fill: var(--phase-look-up); }
.waterfall .connect { fill: var(--phase-connect); }
.waterfall .wait { fill: var(--phase-wait); }
.waterfall .longer { fill: var(--phase-longer); }
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
.phase-longer { --phase: var(--phase-longer); height: 5px; }
.phase-receive { --phase: var(--phase-receive); height: 9px; vertical-align: 0; }
.waterfall-title { margin: 0.9rem 0 0.1rem; }
.requests tbody th { white-space: normal; overflow-wrap: anywhere; min-width: 12rem; max-width: 28rem; }
`;
