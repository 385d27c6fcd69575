import { quicHostText } from '../../../ground/records/quic-host.ts';
import { html, type Markup, nameOf, scrollRegion } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { bytesText, countText, countWithNoun, millisecondsText } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import type { PageLoad } from '../details.ts';
import { differsMuch, LEAST_COMMON_SHARE, type LivePair, livePairs } from '../live-pairs.ts';
import { type LiveDetails, MOST_REQUESTS } from '../live-record.ts';

/** Hosts, versions of HTTP, and differences in content between the loads of a pair. */
export const livePages: Section<RunView> = defineFoldedSection(
  'live-pages',
  'Live pages',
  (view) => {
    const pairs = livePairs(loadsOf(view), view.run);
    const much = pairs.filter(differsMuch).length;
    return {
      about: `hosts and responses: ${countWithNoun(much, 'pair')} of ${countText(pairs.length)} differ much in content`,
      content: html`<p>These pages were loaded from their deployed servers, over the machine’s own network. The path is not under control: every number contains the traffic of other users, caches on the path and the site’s load balancing, and another machine may have answered HTTP/3 than HTTP/2. Only the short time between the loads of a block separates such effects from the protocol.
Before the loads, one connection by HTTP/3 was tried to each host. Loads by HTTP/3 force QUIC on the hosts where it succeeded; all loads use TCP for the remaining hosts. Certificates were verified as for any visitor.</p>
${view.run.subjects.map(({ subject, url }) => pageOf(view, subject, url, pairs))}`,
    };
  },
);

function loadsOf({ conditions }: RunView): PageLoad[] {
  return conditions.flatMap(({ loads }) => loads as readonly PageLoad[]);
}

function pageOf(
  view: RunView,
  subject: string,
  plannedUrl: string,
  pairs: readonly LivePair[],
): Markup {
  const loads = loadsOf(view).filter((load) => load.subject === subject);
  const came = loads.filter(({ outcome, details }) => outcome === 'ok' && details?.live);
  const unsupported = new Map(
    loads.flatMap(({ arm, outcome, message }) =>
      outcome === 'unsupported' ? [[arm, message ?? '']] : [],
    ),
  );
  const [first] = came;
  const url = first?.details?.live?.url ?? plannedUrl;
  return html`<h3>${nameOf(subject)}</h3>
${url !== plannedUrl && html`<p>${plannedUrl} redirects to ${url}, whose host counts.</p>`}${[
  ...unsupported,
].map(([arm, why]) => html`<p><strong>${armLabel(view, arm)}: ${why}</strong></p>`)}${
  came.length === 0
    ? html`<p>No load of it succeeded.</p>`
    : html`${hostTable(view, subject, came)}${overTcpAlone(url, came)}${unannounced(came)}${pairTable(
        view,
        pairs.filter((pair) => pair.subject === subject),
      )}${requestsCut(came)}${failedList(came)}`
}`;
}

function armLabel({ arms }: RunView, name: string): Markup {
  const arm = arms.find((each) => each.arm === name);
  return arm ? stackLabel(arm) : html`${name}`;
}

type Host = LiveDetails['hosts'][number];

function hostTable(view: RunView, subject: string, loads: readonly PageLoad[]): Markup {
  const arms = view.arms.filter(({ arm }) => loads.some((load) => load.arm === arm));
  const byHost = Map.groupBy(
    loads.flatMap(({ arm, details }) =>
      (details?.live?.hosts ?? []).map((each) => ({ ...each, arm })),
    ),
    ({ host }) => host,
  );
  const caption = `Hosts that answered loads of ${subject}`;
  return scrollRegion(
    caption,
    html`<table><caption>Hosts that answered, by number of loads; times and bytes are medians</caption>
<thead><tr><th scope="col" class="text">Host</th><th scope="col" class="text">HTTP/3</th><th scope="col" class="text">Server</th><th scope="col" class="text">Addresses</th>${arms.map((arm) => html`<th scope="col" class="text">Loads, ${stackLabel(arm)}</th><th scope="col">Bytes</th><th scope="col">Connection in ms</th>`)}</tr></thead>
<tbody>
${[...byHost].map(([host, own]) => hostRow(host, own, arms))}</tbody></table>`,
  );
}

/** Hosts without HTTP/3, except the page's own, which is reported above. */
function overTcpAlone(url: string, loads: readonly PageLoad[]): Markup | null {
  const reasons = new Map(
    loads
      .flatMap(({ details }) => details?.live?.hosts ?? [])
      .flatMap(({ host, whyNot }) => (whyNot === null ? [] : [[quicHostText(host), whyNot]])),
  );
  reasons.delete(new URL(url).host);
  if (reasons.size === 0) return null;
  return html`<p>Over TCP in every load:</p>
<ul>
${[...reasons].map(([host, why]) => html`<li>${nameOf(host)}: ${why}.</li>`)}</ul>`;
}

/** Hosts with HTTP/3 that no browser would use by HTTP/3 without force. */
function unannounced(loads: readonly PageLoad[]): Markup | null {
  const hosts = loads.flatMap(({ details }) => details?.live?.hosts ?? []);
  const announcing = new Set(hosts.flatMap(({ host, announced }) => (announced ? [host] : [])));
  const unannouncing = new Set(
    hosts.flatMap(({ host, quic }) => (quic && !announcing.has(host) ? [quicHostText(host)] : [])),
  );
  if (unannouncing.size === 0) return null;
  return html`<p>No response of these hosts announces HTTP/3 (Alt-Svc): ${nameOf([...unannouncing].join(', '))}. A browser uses HTTP/3 there only if it is forced to, or by an HTTPS record. Chromium with forced QUIC then sends few concurrent requests, as by HTTP/1.1.</p>`;
}

function hostRow(
  host: string,
  own: readonly (Host & { arm: string })[],
  arms: readonly ShownArm[],
): Markup {
  const [first] = own;
  const addresses = [...new Set(own.flatMap(({ address }) => address ?? []))];
  const servers = [...new Set(own.flatMap(({ server }) => server ?? []))];
  return html`<tr><th scope="row">${nameOf(quicHostText(host))}</th><td class="text">${first?.quic ? 'yes' : first?.whyNot ? 'no' : 'not tried'}</td><td class="text">${servers.join(', ') || '–'}</td><td class="text">${listSome(addresses)}</td>${arms.map(
    ({ arm }) => {
      const loads = own.filter((each) => each.arm === arm);
      const versions = new Set(loads.flatMap((each) => Object.keys(each.versions)));
      const bytes = median(loads.map((each) => each.bytes));
      return html`<td class="text">${countText(loads.length)}${versions.size > 0 && ` by ${[...versions].join(', ')}`}</td><td>${bytes === null ? '–' : bytesText(Math.round(bytes))}</td><td>${millisecondsText(median(loads.flatMap((each) => each.connectMs ?? [])))}</td>`;
    },
  )}</tr>`;
}

const MOST_SHOWN = 3;

function listSome(texts: readonly string[]): string {
  const more = texts.length - MOST_SHOWN;
  return `${texts.slice(0, MOST_SHOWN).join(', ') || '–'}${more > 0 ? ` and ${more} more` : ''}`;
}

function pairTable(view: RunView, pairs: readonly LivePair[]): Markup | null {
  if (pairs.length === 0) return null;
  const compared = [...Map.groupBy(pairs, ({ arm, baseline }) => `${arm} ${baseline}`).values()];
  const caption = 'What both loads of a pair had in common';
  return html`${scrollRegion(
    caption,
    html`<table><caption>What both loads of a pair had in common: requests by method and URL without query, and bytes of bodies</caption>
<thead><tr><th scope="col" class="text">Pair</th><th scope="col">Pairs</th><th scope="col">Requests (median)</th><th scope="col">Requests (least)</th><th scope="col">Bytes (median)</th><th scope="col">Bytes (least)</th><th scope="col">Pairs below ${100 * LEAST_COMMON_SHARE} %</th></tr></thead>
<tbody>
${compared.map((own) => {
  const [first] = own;
  const of = (share: 'requestsShare' | 'bytesShare') => own.map((each) => each[share]);
  return html`<tr><th scope="row">${armLabel(view, first?.arm ?? '')} and ${armLabel(view, first?.baseline ?? '')}</th><td>${countText(own.length)}</td><td>${percentText(median(of('requestsShare')))}</td><td>${percentText(Math.min(...of('requestsShare')))}</td><td>${percentText(median(of('bytesShare')))}</td><td>${percentText(Math.min(...of('bytesShare')))}</td><td>${countText(own.filter(differsMuch).length)}</td></tr>`;
})}</tbody></table>`,
  )}${onlyInOne(pairs)}`;
}

/** Loads with too many requests have no complete list to compare. */
function requestsCut(loads: readonly PageLoad[]): Markup | null {
  const { length } = loads.filter(({ details }) => details?.live?.requestsCut);
  if (length === 0) return null;
  return html`<p>${countWithNoun(length, 'load')} had more than ${countText(MOST_REQUESTS)} different requests, of which not all are recorded, so their contents are not compared.</p>`;
}

/** The requests that most often occur in only one load of a pair. */
function onlyInOne(pairs: readonly LivePair[]): Markup | null {
  const only = Map.groupBy(
    pairs.flatMap(({ onlyArm, onlyBaseline }) => [...onlyArm, ...onlyBaseline]),
    (request) => request,
  );
  if (only.size === 0) return null;
  const most = [...only]
    .toSorted((a, b) => b[1].length - a[1].length)
    .map(([request, { length }]) => `${request} (${countWithNoun(length, 'pair')})`);
  return html`<p>Most often in one of both loads alone: ${nameOf(listSome(most))}.</p>`;
}

/** Rounded down, so that 100 % means equal. */
function percentText(share: number | null): string {
  return share === null ? '–' : `${Math.floor(100 * share)} %`;
}

function failedList(loads: readonly PageLoad[]): Markup | null {
  const failed = Map.groupBy(
    loads.flatMap(({ arm, details }) =>
      (details?.live?.failed ?? []).map((request) => ({ arm, request })),
    ),
    ({ request }) => request,
  );
  if (failed.size === 0) return null;
  return html`<p>Requests without a complete response:</p>
<ul>
${[...failed].map(([request, own]) => {
  const arms = [...Map.groupBy(own, ({ arm }) => arm)].map(
    ([arm, { length }]) => `${countWithNoun(length, 'load')} by ${arm}`,
  );
  return html`<li>${nameOf(request)}: ${arms.join(', ')}</li>`;
})}</ul>`;
}
