import type { ProbeRecord } from '../../ground/records/probe.ts';
import { percentChart } from '../../kit/charts/percent-chart.ts';
import { spreadFigure } from '../../kit/charts/spread.ts';
import { documentText } from '../../kit/page/document.ts';
import { figure } from '../../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../../kit/page/markup.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { countText, countWithNoun } from '../../kit/text/number.ts';
import { shorten } from '../../kit/text/terminal.ts';
import type { Adoption, Proportion, SystemTimes } from './adoption.ts';
import { columnsFor } from './columns.ts';

/** Rows of a table: many hosts have hundreds of systems. */
const MOST_SYSTEMS = 50;
const MOST_CHARTS = 6;
/** Of a name next to an axis. */
const MOST_CHARACTERS = 30;

interface ProbeResults {
  adoption: Adoption;
  /** The first hosts of the list: a page with thousands would not open. */
  records: readonly ProbeRecord[];
  /** Number of hosts to probe. */
  requested: number;
}

/** probe.html: one file without external resources. */
export function probePage({ adoption, records, requested }: ProbeResults): string {
  const { hosts, answered, http3BySystem, timesBySystem } = adoption;
  const hasSystems = http3BySystem.length > 0;
  const missing = requested - hosts;
  return documentText({
    title: 'What hosts speak',
    about: html`quic-vs-https. ${countWithNoun(hosts, 'host')}, ${countText(answered)} of which answered.`,
    contents: html`<li><a href="#adoption">Adoption</a></li>${hasSystems && html`<li><a href="#systems">Autonomous systems</a></li>`}<li><a href="#hosts">Hosts</a></li><li><a href="#reasons">Failures</a></li>`,
    warnings:
      missing > 0
        ? [
            `Interrupted: ${countWithNoun(missing, 'host')} of ${countText(requested)} were not completely probed and are missing here.`,
          ]
        : [],
    main: html`${adoptionSection(adoption)}
${hasSystems && systemsSection(http3BySystem, timesBySystem)}
${hostsSection(records, hosts, hasSystems)}
${reasonsSection(adoption)}`,
    footer: html`probes.jsonl and probes.csv in this folder have the same data, with every reason.`,
  });
}

function adoptionSection(adoption: Adoption): Markup {
  const { shares, answered } = adoption;
  return html`<section aria-labelledby="adoption">
<h2 id="adoption">Adoption</h2>
${figure({
  name: 'Adoption',
  caption: html`<p>Shares of the ${countWithNoun(answered, 'host')} that answered, as far as known, with 95 % intervals (Wilson). The intervals predict further hosts drawn in the same way.</p>`,
  chart: percentChart(
    shares.map(({ name, hits, n, interval }) => ({
      name,
      colour: 'var(--stack-1)',
      percent: interval && {
        estimate: (100 * hits) / n,
        low: 100 * interval.low,
        high: 100 * interval.high,
      },
      text: n === 0 ? 'not known' : `${hits} of ${n}`,
    })),
    `Share of hosts with ${shares.map(({ name }) => name).join(', ')}. Its numbers are in the table below.`,
  ),
  data: table({
    caption: 'Shares of hosts, with their 95 % intervals',
    columns: [
      ['What', ({ name }) => name],
      ['Hosts', ({ hits }) => countText(hits)],
      ['Of', ({ n }) => countText(n)],
      ...SHARE,
    ],
    items: shares,
  }),
})}
</section>`;
}

const SHARE: readonly Column<Proportion>[] = [
  ['Share', ({ hits, n }) => (n === 0 ? '–' : percentText(hits / n))],
  [
    'Interval',
    ({ interval }) =>
      interval ? `${percentText(interval.low)} to ${percentText(interval.high)}` : '–',
  ],
];

function percentText(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function systemsSection(systems: readonly Proportion[], times: readonly SystemTimes[]): Markup {
  return html`<section aria-labelledby="systems">
<h2 id="systems">Autonomous systems</h2>
${table({
  label: 'Autonomous systems',
  caption: html`Hosts that answered and speak HTTP/3, by autonomous system of the address at which QUIC was tried; shares with 95 % intervals${systems.length > MOST_SYSTEMS && `; the largest ${MOST_SYSTEMS} of ${countText(systems.length)}`}`,
  columns: [
    ['Autonomous system', ({ name }) => nameOf(name)],
    ['Hosts', ({ n }) => countText(n)],
    ['HTTP/3', ({ hits }) => countText(hits)],
    ...SHARE,
  ],
  items: systems.slice(0, MOST_SYSTEMS),
})}
${times.length > 0 && timesFigure(times)}
</section>`;
}

function timesFigure(times: readonly SystemTimes[]): Markup {
  return spreadFigure({
    name: 'Connection times by autonomous system',
    caption: html`<h3>How connection times are spread in ${times.length > MOST_CHARTS ? `the ${MOST_CHARTS} largest systems` : 'each system'}</h3>
<p>From the request for a connection until a request may leave, one handshake of each host and protocol. Several hosts are probed at once, and the programs for TLS and QUIC differ, so times are rough: <code>npm run connect -- --live</code> without <code>--probe</code> compares both.</p>`,
    each: 'Protocol',
    spreads: times.slice(0, MOST_CHARTS).map(({ name, tlsMs, quicMs }) => ({
      measured: { label: `${shorten(name, MOST_CHARACTERS)}: connection time`, unit: 'ms' },
      several: 'hosts',
      samples: [
        { arm: { arm: 'quic', label: 'QUIC', place: 0 }, values: quicMs },
        { arm: { arm: 'tls', label: 'TLS over TCP', place: 1 }, values: tlsMs },
      ],
    })),
  });
}

function hostsSection(records: readonly ProbeRecord[], hosts: number, hasSystems: boolean): Markup {
  return html`<section aria-labelledby="hosts">
<h2 id="hosts">Hosts</h2>
${hosts > records.length && html`<p>The first ${countText(records.length)} of ${countText(hosts)}; probes.csv has all.</p>`}
${table({
  label: 'Hosts',
  caption:
    'What each host speaks. – : not known, or not tried. Amplification: bytes sent to a client that never acknowledged, divided by the bytes it sent; RFC 9000 allows 3.',
  columns: columnsFor(hasSystems).map(
    ({ heading, text }): Column<ProbeRecord> => [heading, (record) => nameOf(text(record)), 'text'],
  ),
  items: records,
})}
</section>`;
}

function reasonsSection({ reasons }: Adoption): Markup {
  return html`<section aria-labelledby="reasons">
<h2 id="reasons">Failures</h2>
${
  reasons.length === 0
    ? html`<p>No question failed.</p>`
    : table({
        label: 'Failures',
        caption: 'Failed questions, by reason',
        columns: [
          ['Question', ({ failure }) => failure.question],
          ['Layer', ({ failure }) => failure.layer, 'text'],
          ['Code', ({ failure }) => failure.code, 'text'],
          ['Hosts', ({ hosts }) => countText(hosts)],
          ['Example', ({ failure }) => html`<bdi>${failure.reason}</bdi>`, 'text wrap'],
        ],
        items: reasons,
      })
}
</section>`;
}
