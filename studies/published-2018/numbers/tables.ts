import { html, type Insert, type Markup, nameOf, scrollRegion } from '../../../kit/page/markup.ts';
import { countWithNoun, decimalText, millisecondsText } from '../../../kit/text/number.ts';
import { type AddedCost, LEAST_ROUND_TRIPS, type SiteCount } from './findings.ts';
import {
  PUBLISHED_PROTOCOLS,
  type PublishedComparison,
  type PublishedMeans,
  type SiteComparison,
  type SitesOverall,
} from './published-comparison.ts';
import {
  DELAY_TEXTS,
  PUBLISHED_DELAYS_MS,
  type PublishedDelayMs,
  type PublishedProtocol,
  SIDE_LABELS,
} from './published-numbers.ts';

export function glanceTable({ published, ours, oursAsPublished }: PublishedComparison): Markup {
  const columns = [published, oursAsPublished, ours];
  const line = (heading: Insert, of: (column: SitesOverall) => Insert) =>
    html`<tr><th scope="row">${heading}</th>${columns.map((column) => html`<td>${of(column)}</td>`)}</tr>`;
  return scrollRegion(
    'Over all sites, published and in this run',
    html`<table><caption>Over all sites. More than 50 % faster: the mean by QUIC is less than half of the mean by HTTPS. Cost of 30 ms: the median over sites of the increase of the mean
by 30 ms of round-trip time, in round trips of 30 ms.</caption>
<thead><tr><td></td><th scope="col">Published</th><th scope="col">This run,<br>where published</th><th scope="col">This run,<br>all its sites</th></tr></thead>
<tbody>
${PUBLISHED_DELAYS_MS.map((delayMs) =>
  line(`More than 50 % faster, ${DELAY_TEXTS[delayMs].replace(/^N/, 'n')}`, ({ muchFaster }) =>
    siteCountText(muchFaster[delayMs]),
  ),
)}${PUBLISHED_PROTOCOLS.map((protocol) =>
  line(`Cost of 30 ms by ${SIDE_LABELS[protocol]}`, ({ addedRoundTrips }) => {
    const { median, nSites } = addedRoundTrips[protocol];
    return median === null
      ? '–'
      : html`${roundTripsText(median)} RTT<small>${countWithNoun(nSites, 'site')}</small>`;
  }),
)}</tbody></table>`,
  );
}

function siteCountText({ count, nSites }: SiteCount): string {
  return nSites === 0 ? '–' : `${count} of ${countWithNoun(nSites, 'site')}`;
}

/** A row for each published site: both delays and their difference, published and in this run. */
export function publishedSiteTable(comparison: PublishedComparison): Markup {
  const { subjects, published, ours } = comparison;
  const heads = PUBLISHED_PROTOCOLS.map((protocol, place) => ({
    text: SIDE_LABELS[protocol],
    edge: place === 0,
  })).concat(
    PUBLISHED_PROTOCOLS.map((protocol, place) => ({
      text: comparison.arms[protocol]?.label ?? `no ${SIDE_LABELS[protocol]}`,
      edge: place === 0,
    })),
  );
  const groups = [DELAY_TEXTS[0], DELAY_TEXTS[30], 'Cost of the 30 ms, in RTTs of 30 ms'];
  return scrollRegion(
    'Published document times and those of this run',
    html`<table class="published"><caption>Mean document time in ms, as printed in 2018, and in this run. RTT: round-trip time. † and ‡ are explained
below the table; –: no number.</caption>
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
          return html`<td class="${place === 0 && 'edge'}">${roundTripsText(median)}${nSites > 0 && html`<small>${countWithNoun(nSites, 'site')}</small>`}</td>`;
        }),
    )}</tr></tfoot></table>`,
  );
}

function siteLine({ subject, published, ours }: SiteComparison): Markup {
  const cells = (of: (protocol: PublishedProtocol) => Insert) =>
    PUBLISHED_PROTOCOLS.map(
      (protocol, place) => html`<td class="${place === 0 && 'edge'}">${of(protocol)}</td>`,
    );
  const times = (delayMs: PublishedDelayMs) =>
    html`${cells((protocol) => printedText(published[protocol], delayMs))}${cells((protocol) => millisecondsText(ours[protocol].meanMs[delayMs]))}`;
  return html`<tr><th scope="row">${nameOf(subject)}</th>${times(0)}${times(30)}${cells((protocol) => costText(published[protocol].added))}${cells((protocol) => costText(ours[protocol].added))}</tr>`;
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

/** A sign before a number, with words for screen readers. */
function mark(sign: string, words: string): Markup {
  return html`<span class="mark" aria-hidden="true">${sign}</span><span class="hidden">${words}: </span>`;
}

/** Explains the marks of the site table, and lists the marked numbers. */
export function marks({ subjects, arms }: PublishedComparison): Markup {
  const cut = subjects.flatMap(({ subject, published }) =>
    PUBLISHED_PROTOCOLS.flatMap((protocol) => {
      const { printed, cutFromMs } = published[protocol];
      if (cutFromMs === null) return [];
      return `${subject} by ${SIDE_LABELS[protocol]}: printed ${printed[0]}, mean ${cutFromMs.toFixed(3)} ms`;
    }),
  );
  const notPossible = subjects.flatMap(({ subject, published, ours }) =>
    PUBLISHED_PROTOCOLS.flatMap((protocol) => {
      const sides = [
        { name: SIDE_LABELS[protocol], added: published[protocol].added },
        { name: `${arms[protocol]?.label} of this run`, added: ours[protocol].added },
      ];
      return sides.flatMap(({ name, added }) =>
        added?.implausible ? `${subject} by ${name} ${added.implausible}` : [],
      );
    }),
  );
  return html`<ul class="marks">
<li><strong>† Cut, not rounded</strong>: the mean of the published single loads would be rounded up, but the report’s table drops the
further digits. All other averages without delay are rounded correctly. ${list(cut)}</li>
<li><strong>‡ Not possible as a cost of the delay</strong>: a request waits for at least one round trip, so 30 ms added cannot cost less than 30 ms. Numbers below ${decimalText(LEAST_ROUND_TRIPS)} RTT are marked; numbers nearer to 1 may be noise of the means. Either the
delay was not in effect, or the noise was larger than the delay, or the loads were not comparable. ${list(notPossible)}</li>
</ul>`;
}

function list(items: readonly string[]): Markup {
  return html`${countWithNoun(items.length, 'number')}${items.length === 0 ? '.' : html`:<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`}`;
}

function roundTripsText(value: number | null): string {
  return value === null ? '–' : value.toFixed(2).replace('-', '−');
}
