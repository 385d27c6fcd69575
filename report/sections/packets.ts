import { drawConditions } from '../../experiments/per-condition.ts';
import { variantOf } from '../../ground/records/factors.ts';
import { LAYER_NAMES, LAYERS } from '../../ground/records/packets.ts';
import {
  LAYER_STYLE,
  type LayerBar,
  layerChart,
  layerLegend,
} from '../../kit/charts/layer-chart.ts';
import { figure, legend } from '../../kit/page/figure.ts';
import { fileHref } from '../../kit/page/links.ts';
import { html, type Insert, type Markup, nameOf } from '../../kit/page/markup.ts';
import { foldedPart, type Section } from '../../kit/page/section.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { type Column, table } from '../../kit/page/table.ts';
import { capitalize } from '../../kit/text/capitalize.ts';
import {
  bytesText,
  countText,
  countWithNoun,
  decimalText,
  millisecondsText,
} from '../../kit/text/number.ts';
import {
  agreements,
  type CapturedAttempt,
  capturedAttempts,
  endings,
  type WireCount,
  type WireSummary,
  wireSummary,
} from '../summary/packets.ts';
import { attemptsText, type ConditionView, labelOf, type ReportView, stackOf } from './view.ts';

/** Results of packet captures: handshakes, round trips, and bytes by layer. */
export const packets: Section<ReportView> = {
  id: 'packets',
  title: 'Packets',
  render,
  style: LAYER_STYLE,
};

function render(view: ReportView, id: string): Markup {
  const [one, several] = view.experiment.attempt;
  const all = capturedAttempts(view.observations, view.captures);
  const damaged = view.captures.filter(({ complaints }) => complaints.length > 0);
  return html`<section aria-labelledby="${id}"><h2 id="${id}">Packets on the wire</h2>
<p>${attemptsText(view, all.length)} were captured, with the times of the client’s end: what it sends as it enters the path, what servers
send as it arrives. Packets that the path lost are in the captures too, and marked. Bytes are those of whole frames, Ethernet included, and every byte
is counted in one place. The files open in Wireshark with their keys inside. Bytes that were not read had no key, belonged to another protocol or followed a gap. They may be
HTTP bodies, so they are not counted as overhead. Numbers are means over the ${several} of all ${view.experiment.site[1]}; <code>packets.csv</code> and <code>wire-connections.csv</code> have those of each packet and each connection.</p>
${all.some(({ capture }) => capture.earlierPackets > 0) && html`<p>Where ${several} reuse connections that were there, the captures and these numbers include their earlier traffic.</p>`}
${damaged.length > 0 && html`<p class="notice" role="note">Not read to the end: ${damaged.map(({ id: name, complaints }, index) => html`${index > 0 && '; '}${nameOf(name)} (${complaints.join(' ')})`)}.</p>`}
${drawConditions(view, (condition, name) => ofCondition(view, condition, name))}
${foldedPart({
  title: 'What connections agreed on, and how they ended',
  about: 'TLS versions, ciphers, groups; alerts, closes and resets',
  content: html`${countTable(view, 'Agreed on', agreements(all))}
${countTable(view, 'Ended by', endings(all))}
<p>An end in good order is no error: close_notify, NO_ERROR, H3_NO_ERROR, and a TCP reset or an alert by a program that sees an abrupt end
after the other side had ended its sending.</p>`,
})}
${foldedPart({
  title: 'Charts and captures',
  about: `sequence of packets, bytes over time, and the files of ${countWithNoun(all.length, one, several)}`,
  content: html`<ul>${[...Map.groupBy(all, ({ capture }) => capture.page)].map(([page, own]) => pageItem(page, own))}</ul>`,
})}
</section>`;
}

function ofCondition(view: ReportView, condition: ConditionView, name: string): Insert {
  const ids = new Set(condition.loads.map(({ id }) => id));
  const own = capturedAttempts(view.observations, view.captures).filter(
    ({ attempt }) =>
      ids.has(attempt.id) ||
      (attempt.warmup &&
        attempt.network.name === condition.network.name &&
        variantOf(attempt.factors) === condition.variant),
  );
  const summaries = view.arms.flatMap(({ arm }) => wireSummary(arm, own) ?? []);
  if (summaries.length === 0) return null;
  const shown = view.arms.filter(({ arm }) => summaries.some((each) => each.arm === arm));
  const bars = summaries.flatMap(({ arm, before, after }): LayerBar[] => [
    { arm, phase: 'before', bytes: before },
    { arm, phase: 'after', bytes: after },
  ]);
  return html`${wireTable(view, summaries, name)}
${figure({
  name: `Overhead, ${name}`,
  caption: html`Bytes that were not HTTP bodies, by layer, and bytes that were not read; mean of a ${view.experiment.attempt[0]}`,
  legend: legend(layerLegend(bars)),
  chart: layerChart(
    bars,
    shown,
    `Overhead by layer, ${name}: the table behind the chart has all its numbers`,
  ),
  data: layerTable(view, summaries),
})}`;
}

type Row = [what: string, of: (summary: WireSummary) => Insert];

function wireTable(view: ReportView, summaries: readonly WireSummary[], name: string): Markup {
  const rows: Row[] = [
    [`${capitalize(view.experiment.attempt[1])} captured`, ({ attempts }) => countText(attempts)],
    ['Connections', ({ connections }) => decimalText(connections, 1)],
    ['Packets to the server', ({ toServer }) => decimalText(toServer.packets, 1)],
    ['Packets to the client', ({ toClient }) => decimalText(toClient.packets, 1)],
    ['Bytes', ({ bytes }) => sizeText(bytes)],
    [
      'Overhead: read bytes that are not HTTP bodies',
      ({ overheadPercent }) =>
        overheadPercent === null
          ? 'not known: too many bytes not read'
          : `${decimalText(overheadPercent, 2)} %`,
    ],
    ['Not read', ({ unreadPercent }) => `${decimalText(unreadPercent, 2)} %`],
    ['Bytes before the first request', ({ before }) => sizeText(totalOf(before))],
    [
      'Handshake messages',
      ({ toServer, toClient }) => sizeText(toServer.handshakeBytes + toClient.handshakeBytes),
    ],
    [
      'Packets that only acknowledge',
      ({ toServer, toClient }) => decimalText(toServer.ackPackets + toClient.ackPackets, 1),
    ],
    [
      'Packets lost',
      ({ toServer, toClient }) => decimalText(toServer.lostPackets + toClient.lostPackets, 1),
    ],
    [
      'Data sent again',
      ({ toServer, toClient }) =>
        sizeText(toServer.retransmittedBytes + toClient.retransmittedBytes),
    ],
    ['Least round trip', ({ leastRoundTripMs }) => msText(leastRoundTripMs)],
    ['May send', ({ maySendMs, leastRoundTripMs }) => instantText(maySendMs, leastRoundTripMs)],
    [
      'Handshake complete',
      ({ completeMs, leastRoundTripMs }) => instantText(completeMs, leastRoundTripMs),
    ],
    [
      'Handshake confirmed',
      ({ confirmedMs, leastRoundTripMs }) => instantText(confirmedMs, leastRoundTripMs),
    ],
  ];
  return table({
    label: `Packets, ${name}`,
    class: 'packets',
    caption: `Mean of a ${view.experiment.attempt[0]}; instants are medians over connections, after the first packet of each, in brackets as round trips`,
    columns: [
      ['', ([what]) => what],
      ...summaries.map(
        (each): Column<Row> => [stackLabel(stackOf(view, each.arm)), ([, of]) => of(each)],
      ),
    ],
    items: rows,
  });
}

function layerTable(view: ReportView, summaries: readonly WireSummary[]): Markup {
  const phases = ['before', 'after'] as const;
  const bytesOf = (layers: WireSummary['before'], layer: Layer | null) =>
    countText(Math.round(layer === null ? totalOf(layers) : layers[layer]));
  return table({
    class: 'layers',
    caption: `Bytes of a ${view.experiment.attempt[0]} by layer: before the first request of a connection, and from then on`,
    columns: [
      [
        '',
        (layer) => (layer === null ? 'all' : html`<span title="${LAYERS[layer]}">${layer}</span>`),
      ],
      ...summaries.flatMap((each) =>
        phases.map(
          (phase): Column<Layer | null> => [
            html`<bdi>${labelOf(view, each.arm)}</bdi>, ${phase}`,
            (layer) => bytesOf(each[phase], layer),
          ],
        ),
      ),
    ],
    items: [...LAYER_NAMES, null],
  });
}

type Layer = (typeof LAYER_NAMES)[number];

function countTable(view: ReportView, what: string, counts: readonly WireCount[]): Insert {
  if (counts.length === 0) return null;
  return table({
    label: what,
    class: 'counts',
    caption: what,
    columns: [
      ['Stack', ({ arm }) => html`<bdi>${labelOf(view, arm)}</bdi>`],
      [
        what,
        ({ text, isError }) =>
          html`<bdi>${text}</bdi>${isError && html` <strong>(an error)</strong>`}`,
        'text wrap',
      ],
      ['Connections', ({ count }) => countText(count)],
    ],
    items: counts,
  });
}

/** Captures of a subject under a condition, and the page that draws them. */
function pageItem(page: string | undefined, captured: readonly CapturedAttempt[]): Markup {
  const href = page === undefined ? null : fileHref(page, ['packets']);
  const name = (page ?? '').replace(/^.*\//, '').replace(/\.html$/, '');
  return html`<li>${href === null ? nameOf(name) : html`<a href="${href}">Charts of ${nameOf(name)}</a>`}
<ul>${captured.map(fileItem)}</ul></li>`;
}

function fileItem({ attempt, capture }: CapturedAttempt): Markup {
  const href = fileHref(capture.file, ['packets']);
  const name = nameOf(attempt.id);
  const qlogs = (capture.qlogs ?? []).flatMap((file) => fileHref(file, ['qlog']) ?? []);
  return html`<li>${href === null ? name : html`<a href="${href}">${name}</a>`}: ${countWithNoun(capture.packets, 'packet')}, ${bytesText(capture.bytes)}${qlogs.map((qlog) => html`, <a href="${qlog}">qlog</a>`)}</li>`;
}

function totalOf(layers: WireSummary['before']): number {
  return LAYER_NAMES.reduce((sum, layer) => sum + layers[layer], 0);
}

function sizeText(bytes: number): string {
  return bytesText(Math.round(bytes));
}

function msText(ms: number | null): string {
  return ms === null ? '–' : `${millisecondsText(ms)} ms`;
}

/** Shorter round trips are the machine's own time, and the quotient means nothing. */
const LEAST_ROUND_TRIP_MS = 5;

function instantText(ms: number | null, roundTripMs: number | null): Insert {
  if (ms === null) return '–';
  const trips =
    roundTripMs !== null && roundTripMs >= LEAST_ROUND_TRIP_MS ? ms / roundTripMs : null;
  return html`${msText(ms)}${trips !== null && html` <span class="quiet">(${trips.toFixed(2)})</span>`}`;
}
