import { harLink } from '../page/links.ts';
import { html, type Markup } from '../page/markup.ts';
import { scrolling, stackLabel } from '../page/name.ts';
import { counted, millisecondsText } from '../text/number.ts';
import { waterfallDrawing } from './waterfall-drawing.ts';
import { phasesOfRequests } from './phase.ts';
import { requestsTable } from './requests-table.ts';
import { shownRequests } from './shown-requests.ts';
import { timeAxis } from './time-axis.ts';
import type { WaterfallLoad } from './waterfall-load.ts';

/** One stack's place among the waterfalls of a site under a condition. */
export interface StackWaterfall {
  arm: { label: string; place: number };
  /** Of the load shown; null: it has none. */
  har: string | null;
  /** Shown in place of the median load, whose HAR was not kept. */
  inPlace?: boolean;
  /** The load, or why there is none to show, as the rest of a sentence that began with the stack. */
  load: WaterfallLoad | { missing: string };
}

/** More rows than these help nobody; the requests that took longest get them. */
export const MOST_ROWS = 120;

/** The median loads of a site under one condition, one stack under another on one time axis. */
export function waterfallMarkup(
  name: string,
  waterfalls: readonly StackWaterfall[],
  mostRows: number = MOST_ROWS,
): Markup {
  const loads = waterfalls.flatMap(({ load }) => ('missing' in load ? [] : [load]));
  if (loads.length === 0) return noWaterfalls(waterfalls);
  const axis = timeAxis(
    loads.map(({ pageLoadMs, requests }) => ({
      pageLoadMs,
      lastMs: Math.max(0, ...requests.map(({ endMs }) => endMs)),
    })),
  );
  const cut = loads.some(({ requests }) => requests.some(({ endMs }) => endMs > axis.endMs));
  const tables: Markup[] = [];
  const drawings = waterfalls.map(({ arm, har, inPlace, load }) => {
    if ('missing' in load) {
      return html`<p class="waterfall-title">${stackLabel(arm)}: no waterfall, because ${load.missing}.</p>
`;
    }
    const shown = shownRequests(load.requests, mostRows);
    const { length } = load.requests;
    const folded = shown.folded.length;
    const rest =
      folded > 0 &&
      ` The ${counted(folded, 'request')} that took least time share the last row; the HAR has them all.`;
    const text = `${counted(length, 'request')}, page load time ${millisecondsText(load.pageLoadMs)} ms`;
    const table = requestsTable(html`<bdi>${arm.label}</bdi>: times in ms.${rest}`, shown.own);
    tables.push(scrolling(`Requests of ${name}, ${arm.label}`, table));
    const label = `Waterfall of the median load of ${name} from ${arm.label}: ${text}. The table below has its numbers.`;
    return html`<p class="waterfall-title">${stackLabel(arm)}: ${text} (${harLink(har)})${inPlace && ', the nearest to the median load among those whose HARs were kept'}.${rest}</p>
${scrolling(`Waterfall: ${name}, ${arm.label}`, waterfallDrawing(load, shown, axis, label))}
`;
  });
  return html`<figure>
<figcaption><p>The median load of each stack (of two in the middle the faster one), all on one time axis from navigationStart.${
    cut && ' What comes after its end is cut off.'
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
    .join('; ')}.</p>
`;
}
