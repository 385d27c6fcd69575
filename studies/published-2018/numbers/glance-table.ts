import { html, type Insert, type Markup } from '../../../kit/page/markup.ts';
import { scrolling } from '../../../kit/page/name.ts';
import { counted } from '../../../kit/text/number.ts';
import { type BesidePublished, type OverSites, PUBLISHED_PROTOCOLS } from './beside-published.ts';
import type { SiteCount } from './findings.ts';
import { PUBLISHED_DELAYS_MS } from './published-numbers.ts';
import { DELAY_TEXTS, roundTripsText, SIDE_LABELS } from './words.ts';

export function glanceTable({ published, ours, oursAsPublished }: BesidePublished): Markup {
  const columns = [published, oursAsPublished, ours];
  const line = (heading: Insert, of: (column: OverSites) => Insert) =>
    html`<tr><th scope="row">${heading}</th>${columns.map((column) => html`<td>${of(column)}</td>`)}</tr>
`;
  return scrolling(
    'Over all sites, published and in this run',
    html`<table><caption>Over all sites. More than 50 % faster: the mean by QUIC is less than half of the mean by HTTPS. Cost of 30 ms: the median over sites of what
30 ms of round-trip time add to the mean, in round trips of 30 ms.</caption>
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
      : html`${roundTripsText(median)} RTT<small>${counted(nSites, 'site')}</small>`;
  }),
)}</tbody></table>`,
  );
}

function siteCountText({ count, nSites }: SiteCount): string {
  return nSites === 0 ? '–' : `${count} of ${counted(nSites, 'site')}`;
}
