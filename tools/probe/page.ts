import type { ProbeRecord } from '../../ground/records/probe.ts';
import { percentChart } from '../../kit/charts/percent-chart.ts';
import { documentText } from '../../kit/page/document.ts';
import { figure } from '../../kit/page/figure.ts';
import { html, type Markup, nameOf, scrollRegion } from '../../kit/page/markup.ts';
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
  data: html`<table><caption>Shares of hosts, with their 95 % intervals</caption>
<thead><tr><th scope="col" class="text">What</th><th scope="col">Hosts</th><th scope="col">Of</th><th scope="col">Share</th><th scope="col">Interval</th></tr></thead>
<tbody>${shares.map(
    ({ name, hits, n, interval }) =>
      html`<tr><th scope="row" class="text">${name}</th><td>${countText(hits)}</td><td>${countText(n)}</td><td>${n === 0 ? '–' : percent(hits / n)}</td><td>${interval ? `${percent(interval.low)} to ${percent(interval.high)}` : '–'}</td></tr>
`,
  )}</tbody></table>`,
})}
</section>`;
}

function hostsSection(records: readonly ProbeRecord[], hosts: number): Markup {
  return html`<section aria-labelledby="hosts">
<h2 id="hosts">Hosts</h2>
${hosts > records.length && html`<p>The first ${countText(records.length)} of ${countText(hosts)}; probes.csv has all.</p>`}
${scrollRegion(
  'Hosts',
  html`<table><caption>What each host speaks. – : not known, or not tried. Amplification: bytes sent to a client that never acknowledged, divided by the bytes it sent; RFC 9000 allows 3.</caption>
<thead><tr>${COLUMNS.map(({ heading }) => html`<th scope="col" class="text">${heading}</th>`)}</tr></thead>
<tbody>${records.map(
    (record) => html`<tr>${COLUMNS.map(({ text }, column) =>
      column === 0
        ? html`<th scope="row" class="text">${nameOf(text(record))}</th>`
        : html`<td class="text"><bdi>${text(record)}</bdi></td>`,
    )}</tr>
`,
  )}</tbody></table>`,
)}
</section>`;
}

function reasonsSection({ reasons }: Adoption): Markup {
  return html`<section aria-labelledby="reasons">
<h2 id="reasons">Failures</h2>
${
  reasons.length === 0
    ? html`<p>No question failed.</p>`
    : scrollRegion(
        'Failures',
        html`<table><caption>Failed questions, by reason</caption>
<thead><tr><th scope="col" class="text">Question</th><th scope="col" class="text">Layer</th><th scope="col" class="text">Code</th><th scope="col">Hosts</th><th scope="col" class="text">Example</th></tr></thead>
<tbody>${reasons.map(
          ({ failure: { question, layer, code, reason }, hosts }) =>
            html`<tr><th scope="row" class="text">${question}</th><td class="text">${layer}</td><td class="text">${code}</td><td>${countText(hosts)}</td><td class="text wrap"><bdi>${reason}</bdi></td></tr>
`,
        )}</tbody></table>`,
      )
}
</section>`;
}
