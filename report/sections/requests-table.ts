import { html, type Insert, type Markup } from '../page/markup.ts';
import { bytesText, countText } from '../text/number.ts';
import { type PHASES, phasesOfRequests } from './phase.ts';
import { shortAddress } from './short-address.ts';
import type { WaterfallRequest } from './waterfall-load.ts';

const ADDRESS_CHARACTERS = 120;

/** The requests of a waterfall as a table, in the order of its rows. */
export function requestsTable(caption: Insert, requests: readonly WaterfallRequest[]): Markup {
  const phases = phasesOfRequests(requests);
  return html`<table class="requests"><caption>${caption}</caption>
<thead><tr><th scope="col" class="text">Request</th><th scope="col">Status</th><th scope="col">Protocol</th><th scope="col">Size</th><th scope="col">Start</th>${phases.map(({ heading }) => html`<th scope="col">${heading}</th>`)}<th scope="col">End</th></tr></thead>
<tbody>
${requests.map((request) => requestRow(request, phases))}</tbody></table>`;
}

function requestRow(request: WaterfallRequest, phases: typeof PHASES): Markup {
  const { address, status, protocol, wireBytes, fromCache, startMs, endMs, spans } = request;
  const inPhase = phases.map(({ name }) => {
    const span = spans.find(({ phase }) => phase === name);
    return html`<td>${span && wholeMs(span.endMs - span.startMs)}</td>`;
  });
  return html`<tr><th scope="row">${shortAddress(address, ADDRESS_CHARACTERS)}</th><td>${status || 'none'}</td><td>${fromCache ? 'cache' : status === 0 ? '–' : protocol}</td><td>${wireBytes === null || status === 0 ? '–' : bytesText(wireBytes)}</td><td>${wholeMs(startMs)}</td>${inPhase}<td>${wholeMs(endMs)}</td></tr>
`;
}

function wholeMs(valueMs: number): string {
  return countText(Math.round(valueMs));
}
