import { sweepChart } from '../../../kit/charts/sweep-chart.ts';
import { figure, legend, lineLegend } from '../../../kit/page/figure.ts';
import {
  conditionTitle,
  html,
  type Insert,
  type Markup,
  nameOf,
} from '../../../kit/page/markup.ts';
import { defineFoldedSection, type Section } from '../../../kit/page/section.ts';
import { stackLabel } from '../../../kit/page/stack.ts';
import { type Column, type Columns, table } from '../../../kit/page/table.ts';
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
${lineTable(view, group, fits, name)}`;
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
      {
        measured: metric.phrase,
        rttSource: group.ofHosts ? 'of TCP to the same host' : 'as measured',
        models,
      },
    ),
    data: table({
      caption: group.ofHosts
        ? `Quartiles over the ${several}, in ms; the lines are in the next table, each ${one}’s medians in the list of its connections`
        : `Median ${metric.phrase} in ms at each round-trip time measured; the lines are in the next table`,
      columns: [
        STACK,
        ...(group.ofHosts
          ? [
              quartiles('Round-trip time', ({ rttMs }) => rttMs),
              quartiles(`Median ${metric.phrase}`, ({ medianMs }) => medianMs),
            ]
          : group.conditions.map(
              ({ network }): Column<Fit> => [
                nameOf(network.name),
                ({ points }) => pointText(points.find(({ name: of }) => of === network.name)),
              ],
            )),
      ],
      items: fits,
    }),
  });
}

const STACK: Column<Fit> = ['Stack', ({ arm: { arm } }) => stackLabel(arm)];

function quartiles(over: string, of: (point: Point) => number): Columns<Fit> {
  const columns = [25, 50, 75].map(
    (percent): Column<Fit> => [
      `${percent} %`,
      ({ points }) => millisecondsText(quantile(points.map(of), percent / 100)),
    ],
  );
  return { over, columns };
}

function pointText(point: Point | undefined): Insert {
  if (!point) return '–';
  return html`${millisecondsText(point.medianMs)}<small>at ${millisecondsText(point.rttMs)}</small>`;
}

/** Round trips until each instant: by the protocol, and as the slope of the line through the points. */
function lineTable(
  { experiment }: RunView,
  group: RoundTripGroup,
  fits: readonly Fit[],
  name: string,
): Markup {
  const points = group.ofHosts ? experiment.subject[1] : 'round-trip times';
  return table({
    label: `Round trips found, ${name}`,
    caption: html`The line through these medians (Theil-Sen estimator). Its slope is the number of round trips, its intercept the time of client and server without the network. ${
      group.ofHosts
        ? `Only ${points} whose round-trip times differ by at least ${countWithNoun(LEAST_APART_MS, 'ms', 'ms')} are compared. Their servers differ too, so this slope is less certain than that of a path with configured delay.`
        : group.conditions.length === 2 &&
          'With two round-trip times the line goes through both points.'
    }`,
    columns: [
      ['Until', ({ instant }) => instantWord(instant)],
      [html`Round trips<br>by the protocol`, ({ roundTrips }) => roundTrips ?? '–'],
      [
        html`Round trips<br>found`,
        ({ line }) => (line ? minus(line.slope.toFixed(2)) : '–'),
        'main',
      ],
      [
        html`Without<br>the network, ms`,
        ({ line }) => (line ? minus(millisecondsText(line.intercept)) : '–'),
      ],
      [capitalize(points), ({ points: found }) => countText(found.length)],
    ],
    groups: [...Map.groupBy(fits, ({ arm }) => arm)].map(([{ arm, handshake }, own]) => [
      html`${stackLabel(arm)} <span class="quiet">${RESUMPTION_TEXTS[handshake.resumption]}</span>`,
      own,
    ]),
  });
}

const RESUMPTION_TEXTS = {
  none: 'full handshakes',
  ticket: 'with a ticket',
  'early-data': 'with early data',
} as const;

/** Without a line: the time of the protocol's round trips, and the rest of each time. */
function restTable({ metric, experiment }: RunView, fits: readonly Fit[]): Markup {
  const text = ({ points, roundTrips }: Fit, of: (point: Point, trips: number) => number) =>
    roundTrips === null
      ? '–'
      : minus(millisecondsText(median(points.map((point) => of(point, roundTrips)))));
  return table({
    label: 'Round trips of the handshakes',
    caption: `Median ${metric.phrase} in ms over the ${experiment.subject[1]}, and the share of the protocol’s round trips at the measured round-trip time`,
    columns: [
      STACK,
      ['Median', ({ points }) => millisecondsText(median(points.map(({ medianMs }) => medianMs)))],
      ['Round trips', ({ roundTrips }) => roundTrips ?? '–'],
      ['They take', (fit) => text(fit, ({ rttMs }, trips) => trips * rttMs)],
      ['The rest', (fit) => text(fit, ({ rttMs, medianMs }, trips) => medianMs - trips * rttMs)],
    ],
    items: fits,
  });
}

function minus(text: string): string {
  return text.replace('-', '−');
}
