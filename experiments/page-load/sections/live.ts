import { firstNames } from '../../../ground/first-names.ts';
import { quicHostText } from '../../../ground/records/quic-host.ts';
import { html, type Markup, nameOf } from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, table } from '../../../kit/page/table.ts';
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

type Answer = LiveDetails['hosts'][number] & { arm: string };

type HostAnswers = readonly [host: string, own: readonly Answer[]];

function hostTable(view: RunView, subject: string, loads: readonly PageLoad[]): Markup {
  const arms = view.arms.filter(({ arm }) => loads.some((load) => load.arm === arm));
  const answers = loads.flatMap(({ arm, details }) =>
    (details?.live?.hosts ?? []).map((each): Answer => ({ ...each, arm })),
  );
  return table({
    label: `Hosts that answered loads of ${subject}`,
    caption: 'Hosts that answered, by number of loads; times and bytes are medians',
    columns: [
      ['Host', ([host]) => nameOf(quicHostText(host))],
      [
        'HTTP/3',
        ([, [first]]) => (first?.quic ? 'yes' : first?.whyNot ? 'no' : 'not tried'),
        'text',
      ],
      ['Server', ([, own]) => distinct(own.map(({ server }) => server)).join(', ') || '–', 'text'],
      ['Addresses', ([, own]) => listSome(distinct(own.map(({ address }) => address))), 'text'],
      ...arms.map((arm) => ({ over: stackLabel(arm), columns: armColumns(arm) })),
    ],
    items: [...Map.groupBy(answers, ({ host }) => host)],
  });
}

function armColumns(arm: ShownArm): Column<HostAnswers>[] {
  const of = ([, all]: HostAnswers) => all.filter((each) => each.arm === arm.arm);
  return [
    [
      'Loads',
      (host) => {
        const own = of(host);
        const versions = distinct(own.flatMap((each) => Object.keys(each.versions)));
        return html`${countText(own.length)}${versions.length > 0 && ` by ${versions.join(', ')}`}`;
      },
      'text edge',
    ],
    [
      'Bytes',
      (host) => {
        const bytes = median(of(host).map((each) => each.bytes));
        return bytes === null ? '–' : bytesText(Math.round(bytes));
      },
    ],
    [
      'Connection in ms',
      (host) => millisecondsText(median(of(host).flatMap(({ connectMs }) => connectMs ?? []))),
    ],
  ];
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

function distinct(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts.flatMap((text) => text ?? []))];
}

function listSome(texts: readonly string[]): string {
  return firstNames(texts, 3) || '–';
}

function pairTable(view: RunView, pairs: readonly LivePair[]): Markup | null {
  if (pairs.length === 0) return null;
  const caption = 'What both loads of a pair had in common';
  return html`${table({
    label: caption,
    caption: `${caption}: requests by method and URL without query, and bytes of bodies`,
    columns: [
      [
        'Pair',
        ([first]) =>
          html`${armLabel(view, first?.arm ?? '')} and ${armLabel(view, first?.baseline ?? '')}`,
      ],
      ['Pairs', (own) => countText(own.length)],
      ...shareColumns('Requests', ({ requestsShare }) => requestsShare),
      ...shareColumns('Bytes', ({ bytesShare }) => bytesShare),
      [
        `Pairs below ${100 * LEAST_COMMON_SHARE} %`,
        (own) => countText(own.filter(differsMuch).length),
      ],
    ],
    items: [...Map.groupBy(pairs, ({ arm, baseline }) => `${arm} ${baseline}`).values()],
  })}${onlyInOne(pairs)}`;
}

function shareColumns(what: string, of: (pair: LivePair) => number): Column<readonly LivePair[]>[] {
  return [
    [`${what} (median)`, (own) => percentText(median(own.map(of)))],
    [`${what} (least)`, (own) => percentText(Math.min(...own.map(of)))],
  ];
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
