import { sweepChart } from '../../../kit/charts/sweep-chart.ts';
import { figure, legend, lineLegend } from '../../../kit/page/figure.ts';
import {
  conditionTitle,
  html,
  type Markup,
  nameOf,
  scrollRegion,
} from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { capitalize } from '../../../kit/text/capitalize.ts';
import { countText, countWithNoun, millisecondsText } from '../../../kit/text/number.ts';
import { median } from '../../../statistics/median.ts';
import { quantile } from '../../../statistics/quantile.ts';
import { type Line, theilSen } from '../../../statistics/theil-sen.ts';
import type { RunView } from '../../run-view.ts';
import { handshakeRoundTrips } from '../handshake-round-trips.ts';
import { countedOf } from './connections.ts';
import { type Instant, instantsOf, instantWord } from './instants.ts';
import { type Point, type RoundTripGroup, roundTripGroups } from './round-trip-points.ts';

/** With fewer hosts a line among them is an accident of their servers. */
const FEWEST_HOSTS = 6;

/** Hosts whose round-trip times are nearer to each other stand at one place: they differ by chance. */
const LEAST_APART_MS = 1;

/** All slopes between two of so many points are soon told; of more hosts every second, third ... takes part. */
const MOST_POINTS = 1000;

/** Times against the round trips that handshakes wait for: what is left is the work of both ends. */
export const handshakes: Section<RunView> = {
  isShown: (view) => groupsOf(view).length > 0,
  ...defineFoldedSection('handshakes', 'Handshakes', (view) => ({
    title: 'Round trips of the handshakes',
    about: 'what of each time the network accounts for, and what the two ends do',
    content: html`<p>Until the client may send, a full handshake by QUIC waits for one round trip (RFC 9001). TCP waits for one, TLS 1.3 on top of it for another one (RFC 8446), so for two together,
and TLS 1.2 for three (RFC 5246), or two where the client does not wait for the server’s last message (False Start, RFC 7918). A resumed session saves TLS 1.2 one of them; with early data TLS 1.3 waits for TCP alone, and QUIC for nothing. What the round trips do not account for is the work of client and server, and packets
that were lost. More round trips than the protocol’s come from Retry packets, a second ClientHello, and certificates that do not fit into what a server may send at first.</p>
${groupsOf(view).map((group) => groupMarkup(view, group))}`,
  })),
};

/** Those with anything to hold against round trips. */
function groupsOf(view: RunView): RoundTripGroup[] {
  return roundTripGroups(view).filter(
    (group) => fitsOf(group, [view.metric.name as Instant]).length > 0,
  );
}

/** An instant of an arm, held against the round trips. */
interface Fit {
  arm: RoundTripGroup['arms'][number];
  instant: Instant;
  points: readonly Point[];
  /** By the protocol; null: it does not say. */
  roundTrips: number | null;
  /** Through the points; null: they are too few. */
  line: Line | null;
}

function fitsOf(group: RoundTripGroup, shown: readonly Instant[]): Fit[] {
  return group.arms.flatMap((arm) =>
    shown.flatMap((instant) => {
      const points = arm.pointsOf(instant);
      // TCP handshakes against themselves would be a line through nothing.
      const isRtt = group.ofHosts && (instant === 'tcpMs' || arm.way.via === 'tcp');
      if (points.length === 0 || isRtt) return [];
      const isEnough = !group.ofHosts || points.length >= FEWEST_HOSTS;
      const line = isEnough
        ? theilSen(
            thin(points).map(({ rttMs, medianMs }) => [rttMs, medianMs] as const),
            group.ofHosts ? LEAST_APART_MS : 0,
          )
        : null;
      const roundTrips = handshakeRoundTrips(arm.way, instant);
      return [{ arm, instant, points, roundTrips, line }];
    }),
  );
}

function thin(points: readonly Point[]): Point[] {
  const each = Math.ceil(points.length / MOST_POINTS);
  return points.toSorted((a, b) => a.rttMs - b.rttMs).filter((_, place) => place % each === 0);
}

function groupMarkup(view: RunView, group: RoundTripGroup): Markup {
  const fits = fitsOf(
    group,
    instantsOf(group.conditions.flatMap((condition) => countedOf(view, condition))),
  );
  const [first] = group.conditions;
  const name = [...group.conditions.map(({ network }) => network.name), first?.variantText ?? '']
    .filter((text) => text !== '')
    .join(', ');
  const heading = html`<h3>${group.conditions.length === 1 && first ? conditionTitle(first) : nameOf(name)}</h3>
`;
  const source =
    group.ofHosts &&
    html`<p>No path of its own lay between client and servers here. Each ${view.experiment.subject[0]} has a round-trip time of its own: the median of its TCP handshakes in this run, by whichever stack; those without any take no part.
Where something on the way answers TCP in place of the server, its round trips are too short. Dots at the very ends of an axis may lie beyond it.</p>`;
  const own = fits.filter(({ instant }) => instant === view.metric.name);
  if (!fits.some(({ line }) => line !== null))
    return html`${heading}${source}${restTable(view, own)}`;
  return html`${heading}${source}${own.some(({ line }) => line !== null) && lineFigure(view, group, own, name)}
${scrollRegion(`Round trips found, ${name}`, lineTable(view, group, fits))}`;
}

/** Where a group's round-trip times come from, as its axis says it. */
function rttSource({ ofHosts }: RoundTripGroup): string {
  return ofHosts ? 'of TCP to the same host' : 'as measured';
}

function lineFigure(
  { metric, experiment }: RunView,
  group: RoundTripGroup,
  fits: readonly Fit[],
  name: string,
): Markup {
  const swept = fits.map(({ arm: { arm }, points, line }) => ({
    arm,
    points: points.map(({ rttMs, medianMs }) => ({ x: rttMs, y: medianMs })),
    line: line && { roundTrips: line.slope, interceptMs: line.intercept },
  }));
  const models = [...new Set(fits.flatMap(({ roundTrips }) => roundTrips || []))];
  const quartiles = (values: readonly number[]) =>
    [0.25, 0.5, 0.75].map((share) => html`<td>${millisecondsText(quantile(values, share))}</td>`);
  const [one, several] = group.ofHosts ? experiment.subject : ['condition', 'conditions'];
  return figure({
    name: `${metric.phrases} against the round-trip time, ${name}`,
    caption: html`<h4>Median ${metric.phrase}, ${one} by ${one}</h4>`,
    legend: html`${lineLegend(swept.map(({ arm }) => arm))}${legend([
      html`<svg class="line-sample" viewBox="0 0 28 8" aria-hidden="true"><path class="line-model" d="M0,4H28"/></svg>round trips alone`,
    ])}`,
    chart: sweepChart(
      swept,
      `Chart: median ${metric.phrase} against the round-trip time, a point for each of ${countWithNoun(Math.max(...fits.map(({ points }) => points.length)), one, several)} and a line for each of ${countWithNoun(swept.length, 'stack')}, beside lines of ${models.join(', ')} round trips alone. The tables below have its numbers.`,
      { measured: metric.phrase, rttSource: rttSource(group), models },
    ),
    data: group.ofHosts
      ? html`<table><caption>Quartiles over the ${several}, in ms; the lines are in the next table, each ${one}’s medians in the list of its connections</caption>
<thead><tr><th scope="col" class="text" rowspan="2">Stack</th><th scope="colgroup" colspan="3">Round-trip time</th><th scope="colgroup" colspan="3">Median ${metric.phrase}</th></tr>
<tr>${[1, 2].map(() => html`<th scope="col">25 %</th><th scope="col">50 %</th><th scope="col">75 %</th>`)}</tr></thead>
<tbody>
${fits.map(
  ({ arm: { arm }, points }) =>
    html`<tr><th scope="row">${stackLabel(arm)}</th>${quartiles(points.map(({ rttMs }) => rttMs))}${quartiles(points.map(({ medianMs }) => medianMs))}</tr>`,
)}</tbody></table>`
      : html`<table><caption>Median ${metric.phrase} in ms at each round-trip time measured; the lines are in the next table</caption>
<thead><tr><th scope="col" class="text">Stack</th>${group.conditions.map(({ network }) => html`<th scope="col">${nameOf(network.name)}</th>`)}</tr></thead>
<tbody>
${fits.map(
  ({ arm: { arm }, points }) =>
    html`<tr><th scope="row">${stackLabel(arm)}</th>${points.map(({ rttMs, medianMs }) => html`<td>${millisecondsText(medianMs)}<small>at ${millisecondsText(rttMs)}</small></td>`)}</tr>`,
)}</tbody></table>`,
  });
}

/** What each instant waits for by its protocol, and by the line through its points. */
function lineTable({ experiment }: RunView, group: RoundTripGroup, fits: readonly Fit[]): Markup {
  const points = group.ofHosts ? experiment.subject[1] : 'round-trip times';
  return html`<table><caption>The line through these medians (Theil and Sen): its slope is what a connection waits for, in round trips, its beginning what client and server take when the network takes no time. ${
    group.ofHosts
      ? `Only ${points} at least ${countWithNoun(LEAST_APART_MS, 'ms', 'ms')} apart are set against each other. They differ in their own work too, so such a slope is less sure than that of a path whose delay was set.`
      : group.conditions.length === 2 &&
        'With two round-trip times the line goes through both points.'
  }</caption>
<thead><tr><th scope="col" class="text">Until</th><th scope="col">Round trips<br>by the protocol</th><th scope="col">Round trips<br>found</th><th scope="col">Without<br>the network, ms</th><th scope="col">${capitalize(points)}</th></tr></thead>
${[...Map.groupBy(fits, ({ arm }) => arm)].map(
  ([
    { arm, way },
    own,
  ]) => html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="5">${stackLabel(arm)} <span class="quiet">${RESUMPTION_TEXTS[way.resumption]}</span></th></tr>
${own.map(
  ({ instant, roundTrips, line, points: found }) =>
    html`<tr><th scope="row">${instantWord(instant)}</th><td>${roundTrips ?? '–'}</td><td class="main">${line ? minus(line.slope.toFixed(2)) : '–'}</td><td>${line ? minus(millisecondsText(line.intercept)) : '–'}</td><td>${countText(found.length)}</td></tr>`,
)}</tbody>`,
)}</table>`;
}

const RESUMPTION_TEXTS = {
  none: 'full handshakes',
  ticket: 'with a ticket',
  'early-data': 'with early data',
} as const;

/** Where no line can be had: what the protocol's round trips take of each time, and what they leave. */
function restTable({ metric, experiment }: RunView, fits: readonly Fit[]): Markup {
  return scrollRegion(
    'Round trips of the handshakes',
    html`<table><caption>Median ${metric.phrase} in ms over the ${experiment.subject[1]}, and what the round trips of the protocol take of it at the round-trip time measured</caption>
<thead><tr><th scope="col" class="text">Stack</th><th scope="col">Median</th><th scope="col">Round trips</th><th scope="col">They take</th><th scope="col">The rest</th></tr></thead>
<tbody>
${fits.map(({ arm: { arm }, points, roundTrips }) => {
  const middle = (of: (point: Point) => number) => median(points.map(of));
  const tripsMs = roundTrips === null ? null : middle(({ rttMs }) => roundTrips * rttMs);
  const restMs =
    roundTrips === null ? null : middle(({ rttMs, medianMs }) => medianMs - roundTrips * rttMs);
  return html`<tr><th scope="row">${stackLabel(arm)}</th><td>${millisecondsText(middle(({ medianMs }) => medianMs))}</td><td>${roundTrips ?? '–'}</td><td>${millisecondsText(tripsMs)}</td><td>${minus(millisecondsText(restMs))}</td></tr>`;
})}</tbody></table>`,
  );
}

function minus(text: string): string {
  return text.replace('-', '−');
}
