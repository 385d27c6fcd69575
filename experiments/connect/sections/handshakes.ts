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

/** A line through fewer hosts depends too much on their servers. */
const FEWEST_HOSTS = 6;

/** Smaller differences between the round-trip times of hosts are due to chance. */
const LEAST_APART_MS = 1;

/** Limits the slopes between pairs of points; of more hosts every second, third ... is used. */
const MOST_POINTS = 1000;

/** Times against the round trips of handshakes; the rest is the work of client and server. */
export const handshakes: Section<RunView> = {
  isShown: (view) => groupsOf(view).length > 0,
  ...defineFoldedSection('handshakes', 'Handshakes', (view) => ({
    title: 'Round trips of the handshakes',
    about: 'the shares of network, client and server in each time',
    content: html`<p>Until the client may send, a full handshake by QUIC takes one round trip (RFC 9001). TCP takes one. TLS 1.3 over TCP takes two in all (RFC 8446)
and TLS 1.2 three (RFC 5246), or two with False Start (RFC 7918), where the client does not wait for the server’s last message. A resumed session saves TLS 1.2 one round trip. With early data TLS 1.3 waits for TCP alone, and QUIC for nothing. The rest of each time is the work of client and server, and
lost packets. Retry packets, a second ClientHello, and certificates that exceed the server’s first flight add round trips.</p>
${groupsOf(view).map((group) => groupMarkup(view, group))}`,
  })),
};

/** Groups with points of the run's metric. */
function groupsOf(view: RunView): RoundTripGroup[] {
  return roundTripGroups(view).filter(
    (group) => fitsOf(group, [view.metric.name as Instant]).length > 0,
  );
}

/** The times until an instant of an arm, against the round-trip times. */
interface Fit {
  arm: RoundTripGroup['arms'][number];
  instant: Instant;
  points: readonly Point[];
  /** By the protocol; null: not defined. */
  roundTrips: number | null;
  /** null: too few points. */
  line: Line | null;
}

function fitsOf(group: RoundTripGroup, shown: readonly Instant[]): Fit[] {
  return group.arms.flatMap((arm) =>
    shown.flatMap((instant) => {
      const points = arm.pointsOf(instant);
      // The round-trip times of hosts are TCP handshakes themselves.
      const isRtt = group.ofHosts && (instant === 'tcpMs' || arm.handshake.transport === 'tcp');
      if (points.length === 0 || isRtt) return [];
      const isEnough = !group.ofHosts || points.length >= FEWEST_HOSTS;
      const line = isEnough
        ? theilSen(
            thin(points).map(({ rttMs, medianMs }) => [rttMs, medianMs] as const),
            group.ofHosts ? LEAST_APART_MS : 0,
          )
        : null;
      const roundTrips = handshakeRoundTrips(arm.handshake, instant);
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
    html`<p>Client and servers used the real network here. The round-trip time of each ${view.experiment.subject[0]} is the median of its TCP handshakes in this run, by any stack; ${view.experiment.subject[1]} without TCP handshakes are excluded.
If a middlebox answers TCP in place of the server, these round-trip times are too short. Dots at the ends of an axis may lie beyond it.</p>`;
  const own = fits.filter(({ instant }) => instant === view.metric.name);
  if (!fits.some(({ line }) => line !== null))
    return html`${heading}${source}${restTable(view, own)}`;
  return html`${heading}${source}${own.some(({ line }) => line !== null) && lineFigure(view, group, own, name)}
${scrollRegion(`Round trips found, ${name}`, lineTable(view, group, fits))}`;
}

/** Source of the round-trip times, in the label of the axis. */
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
      `Chart: median ${metric.phrase} against the round-trip time, a point for each of ${countWithNoun(Math.max(...fits.map(({ points }) => points.length)), one, several)} and a line for each of ${countWithNoun(swept.length, 'stack')}, and lines of ${models.join(', ')} round trips alone. The tables below have its numbers.`,
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

/** Round trips until each instant: by the protocol, and as the slope of the line through the points. */
function lineTable({ experiment }: RunView, group: RoundTripGroup, fits: readonly Fit[]): Markup {
  const points = group.ofHosts ? experiment.subject[1] : 'round-trip times';
  return html`<table><caption>The line through these medians (Theil-Sen estimator). Its slope is the number of round trips, its intercept the time of client and server without the network. ${
    group.ofHosts
      ? `Only ${points} whose round-trip times differ by at least ${countWithNoun(LEAST_APART_MS, 'ms', 'ms')} are compared. Their servers differ too, so this slope is less certain than that of a path with configured delay.`
      : group.conditions.length === 2 &&
        'With two round-trip times the line goes through both points.'
  }</caption>
<thead><tr><th scope="col" class="text">Until</th><th scope="col">Round trips<br>by the protocol</th><th scope="col">Round trips<br>found</th><th scope="col">Without<br>the network, ms</th><th scope="col">${capitalize(points)}</th></tr></thead>
${[...Map.groupBy(fits, ({ arm }) => arm)].map(
  ([
    { arm, handshake },
    own,
  ]) => html`<tbody><tr class="site-row"><th scope="rowgroup" colspan="5">${stackLabel(arm)} <span class="quiet">${RESUMPTION_TEXTS[handshake.resumption]}</span></th></tr>
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

/** Without a line: the time of the protocol's round trips, and the rest of each time. */
function restTable({ metric, experiment }: RunView, fits: readonly Fit[]): Markup {
  return scrollRegion(
    'Round trips of the handshakes',
    html`<table><caption>Median ${metric.phrase} in ms over the ${experiment.subject[1]}, and the share of the protocol’s round trips at the measured round-trip time</caption>
<thead><tr><th scope="col" class="text">Stack</th><th scope="col">Median</th><th scope="col">Round trips</th><th scope="col">They take</th><th scope="col">The rest</th></tr></thead>
<tbody>
${fits.map(({ arm: { arm }, points, roundTrips }) => {
  const medianOf = (of: (point: Point) => number) => median(points.map(of));
  const tripsMs = roundTrips === null ? null : medianOf(({ rttMs }) => roundTrips * rttMs);
  const restMs =
    roundTrips === null ? null : medianOf(({ rttMs, medianMs }) => medianMs - roundTrips * rttMs);
  return html`<tr><th scope="row">${stackLabel(arm)}</th><td>${millisecondsText(medianOf(({ medianMs }) => medianMs))}</td><td>${roundTrips ?? '–'}</td><td>${millisecondsText(tripsMs)}</td><td>${minus(millisecondsText(restMs))}</td></tr>`;
})}</tbody></table>`,
  );
}

function minus(text: string): string {
  return text.replace('-', '−');
}
