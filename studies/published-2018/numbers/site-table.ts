import { html, type Insert, type Markup } from '../../../kit/page/markup.ts';
import { nameOf, scrolling } from '../../../kit/page/name.ts';
import { counted, millisecondsText } from '../../../kit/text/number.ts';
import {
  type BesidePublished,
  PUBLISHED_PROTOCOLS,
  type PublishedMeans,
  type SiteBeside,
} from './beside-published.ts';
import type { AddedCost } from './findings.ts';
import type { PublishedDelayMs, PublishedProtocol } from './published-numbers.ts';
import { DELAY_TEXTS, roundTripsText, SIDE_LABELS } from './words.ts';

/** Every published site in a row: both delays and what lies between them, published and in this run. */
export function publishedSiteTable(beside: BesidePublished): Markup {
  const { subjects, published, ours } = beside;
  const heads = PUBLISHED_PROTOCOLS.map((protocol, place) => ({
    text: SIDE_LABELS[protocol],
    edge: place === 0,
  })).concat(
    PUBLISHED_PROTOCOLS.map((protocol, place) => ({
      text: beside.arms[protocol]?.label ?? `no ${SIDE_LABELS[protocol]}`,
      edge: place === 0,
    })),
  );
  const groups = [DELAY_TEXTS[0], DELAY_TEXTS[30], 'Cost of the 30 ms, in RTTs of 30 ms'];
  return scrolling(
    'Published document times and those of this run',
    html`<table class="published"><caption>Mean document time in ms, as published in 2018, digit by digit, and in this run. RTT: round-trip time. † and ‡ are explained
below the table; – where there is no number.</caption>
<thead>
<tr><th scope="col" rowspan="3" class="text">Site</th>${groups.map((group) => html`<th colspan="4" scope="colgroup" class="edge">${group}</th>`)}</tr>
<tr>${groups.map(() => html`<th colspan="2" scope="colgroup" class="edge">Published</th><th colspan="2" scope="colgroup" class="edge">This run</th>`)}</tr>
<tr>${groups.map(() => heads.map(({ text, edge }) => html`<th scope="col" class="${edge && 'edge'}"><bdi>${text}</bdi></th>`))}</tr>
</thead>
<tbody>
${subjects.map(siteLine)}</tbody>
<tfoot><tr><th scope="row">Median over sites</th><td colspan="8"></td>${[published, ours].map(
      ({ addedRoundTrips }) =>
        PUBLISHED_PROTOCOLS.map((protocol, place) => {
          const { median, nSites } = addedRoundTrips[protocol];
          return html`<td class="${place === 0 && 'edge'}">${roundTripsText(median)}${nSites > 0 && html`<small>${counted(nSites, 'site')}</small>`}</td>`;
        }),
    )}</tr></tfoot></table>`,
  );
}

function siteLine({ subject, published, ours }: SiteBeside): Markup {
  const cells = (of: (protocol: PublishedProtocol) => Insert) =>
    PUBLISHED_PROTOCOLS.map(
      (protocol, place) => html`<td class="${place === 0 && 'edge'}">${of(protocol)}</td>`,
    );
  const times = (delayMs: PublishedDelayMs) =>
    html`${cells((protocol) => printedText(published[protocol], delayMs))}${cells((protocol) => millisecondsText(ours[protocol].meanMs[delayMs]))}`;
  return html`<tr><th scope="row">${nameOf(subject)}</th>${times(0)}${times(30)}${cells((protocol) => costText(published[protocol].added))}${cells((protocol) => costText(ours[protocol].added))}</tr>
`;
}

function printedText({ printed, cutFromMs }: PublishedMeans, delayMs: PublishedDelayMs): Insert {
  const text = printed[delayMs] ?? '–';
  return delayMs === 0 && cutFromMs !== null ? [mark('†', 'cut'), text] : text;
}

function costText(added: AddedCost | null): Insert {
  if (added === null) return '–';
  const text = roundTripsText(added.roundTrips);
  return added.implausible === null ? text : [mark('‡', 'not possible'), text];
}

/** A sign before a number, in words for those who do not see it. */
function mark(sign: string, words: string): Markup {
  return html`<span class="mark" aria-hidden="true">${sign}</span><span class="hidden">${words}: </span>`;
}
