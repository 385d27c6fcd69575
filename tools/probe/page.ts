import type { ProbeRecord } from '../../ground/records/probe.ts';
import { percentChart } from '../../kit/charts/percent-chart.ts';
import { documentText } from '../../kit/page/document.ts';
import { figure } from '../../kit/page/figure.ts';
import { html, type Markup, nameOf } from '../../kit/page/markup.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { countText, countWithNoun } from '../../kit/text/number.ts';
import type { Adoption } from './adoption.ts';
import { COLUMNS } from './columns.ts';

interface ProbeResults {
  adoption: Adoption;
  /** The first hosts of the list: a page with thousands would not open. */
  records: readonly ProbeRecord[];
  /** Number of hosts to probe. */
  requested: number;
}

/** probe.html: one file without external resources. */
export function probePage({ adoption, records, requested }: ProbeResults): string {
  const { hosts, answered } = adoption;
  const missing = requested - hosts;
  return documentText({
    title: 'What hosts speak',
    about: html`quic-vs-https. ${countWithNoun(hosts, 'host')}, ${countText(answered)} of which answered.`,
    contents: html`<li><a href="#adoption">Adoption</a></li><li><a href="#hosts">Hosts</a></li><li><a href="#reasons">Failures</a></li>`,
    warnings:
      missing > 0
        ? [
            `Interrupted: ${countWithNoun(missing, 'host')} of ${countText(requested)} were not completely probed and are missing here.`,
          ]
        : [],
    main: html`${adoptionSection(adoption)}
${hostsSection(records, hosts)}
${reasonsSection(adoption)}`,
    footer: html`probes.jsonl and probes.csv in this folder have the same data, with every reason.`,
  });
}

function adoptionSection(adoption: Adoption): Markup {
  const { shares, answered } = adoption;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
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
      ['Share', ({ hits, n }) => (n === 0 ? '–' : percent(hits / n))],
      [
        'Interval',
        ({ interval }) =>
          interval ? `${percent(interval.low)} to ${percent(interval.high)}` : '–',
      ],
    ],
    items: shares,
  }),
})}
</section>`;
}

function hostsSection(records: readonly ProbeRecord[], hosts: number): Markup {
  return html`<section aria-labelledby="hosts">
<h2 id="hosts">Hosts</h2>
${hosts > records.length && html`<p>The first ${countText(records.length)} of ${countText(hosts)}; probes.csv has all.</p>`}
${table({
  label: 'Hosts',
  caption:
    'What each host speaks. – : not known, or not tried. Amplification: bytes sent to a client that never acknowledged, divided by the bytes it sent; RFC 9000 allows 3.',
  columns: COLUMNS.map(
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
