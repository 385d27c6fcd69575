import type { Metric } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { SocketDetails } from '../../ground/records/socket-events.ts';
import { figure, legend } from '../../kit/page/figure.ts';
import { conditionTitle, html, type Markup } from '../../kit/page/markup.ts';
import { foldedSection, type Section } from '../../kit/page/section.ts';
import { stackLabel } from '../../kit/page/stack.ts';
import { type Column, table } from '../../kit/page/table.ts';
import type { RunView } from '../run-view.ts';
import type { Durations } from './durations.ts';
import { EVENT_MEANINGS } from './event-meanings.ts';
import { type DelayStep, delaySteps, growthOf } from './growth.ts';
import { lanesOf } from './lanes.ts';
import { type ArmLanes, eventLabel, lanesChart } from './lanes-chart.ts';
import { roundTripsOf } from './round-trips.ts';

type Condition = RunView['conditions'][number];
type Arm = RunView['arms'][number];

/** All events of both ends on one axis. */
export const events: Section<RunView> = {
  id: 'events',
  title: 'Events at both ends',
  isShown: ({ conditions }) => conditions.length > 0,
  render: (view, id) =>
    foldedSection(id, {
      title: 'Events at both ends',
      about: 'times of all events at client and server, on one axis',
      content: html`<p>Client and server are programs on this machine and read its monotonic clock, so that their times are comparable.
Each event is at the median of its times.</p>
${legend([
  'Filled: the same event in every protocol',
  'Hollow: not comparable between protocols, for the reasons below',
])}
${view.conditions.map((condition) => eventsFigure(condition, view))}
<h3>Events</h3>
<dl>${Object.values(EVENT_MEANINGS).map(
        ({ label, meaning, isComparable }) =>
          html`<dt>${label}${isComparable ? '' : ' (not comparable)'}</dt><dd>${meaning}</dd>
`,
      )}</dl>`,
    }),
};

function eventsFigure(condition: Condition, view: RunView): Markup {
  const attempts = countedOf(view).filter(({ network }) => network.name === condition.network.name);
  const arms = view.arms.map((arm) => ({
    arm,
    lanes: lanesOf(attempts.filter((each) => each.arm === arm.arm)),
  }));
  const { name } = condition.network;
  return figure({
    name: `Events at both ends, ${name}`,
    caption: html`<h4>${conditionTitle(condition)}</h4>`,
    chart: lanesChart(arms, `Median times of the events at both ends with ${name}`),
    data: eventsTable(arms),
  });
}

function eventsTable(arms: readonly ArmLanes[]): Markup {
  return table({
    caption: 'Median times since the request for the connection, in ms',
    columns: [
      ['Stack', ({ arm }) => stackLabel(arm)],
      ['End', ({ end }) => end, 'text'],
      ['Event', ({ event }) => eventLabel(event), 'text'],
      ['Median', ({ event }) => event.atMs.toFixed(2)],
      ['Exchanges', ({ event }) => event.exchanges],
    ],
    items: arms.flatMap(({ arm, lanes }) =>
      lanes.flatMap(({ end, events: own }) => own.map((event) => ({ arm, end, event }))),
    ),
  });
}

/** Durations of the parts of exchanges by delay, next to those of the protocols. */
export function partsByDelay(metrics: readonly Metric[]): Section<RunView> {
  return {
    id: 'parts',
    title: 'Parts by delay',
    isShown: ({ conditions }) => conditions.length > 0,
    render: (view, id) =>
      foldedSection(id, {
        title: 'Parts of the exchanges by delay',
        about: 'round trips of each part, measured and by the protocol',
        content: html`<p><em>Round trips</em> is the slope of a part’s duration over the measured round-trip time: Theil and Sen’s line through
the medians. The rest, at no delay, is the work of both ends. <em>By the protocol</em> is the minimum: the handshake of QUIC takes
one round trip (RFC 9001), that of TCP one, and TLS 1.3 another one (RFC 8446). A message takes half a round trip, and so does its way back, if it fits the initial
window. To close, TCP’s client waits a round trip for the other end’s FIN; QUIC’s server closes after half a round trip. A close of hundreds
of ms would be a timer of a program, not the protocol.</p>
${partsTable(metrics, view)}`,
      }),
  };
}

function partsTable(metrics: readonly Metric[], view: RunView): Markup {
  const steps = delaySteps(view.conditions);
  const attempts = countedOf(view);
  return table({
    label: 'Parts of the exchanges by delay',
    caption: 'Medians in ms of the counted exchanges',
    columns: [
      ['Stack', ({ arm }) => stackLabel(arm)],
      ...steps.map(
        ({ rttMs }, place): Column<ReturnType<typeof partOf>> => [
          `RTT ${rttMs.toFixed(1)} ms`,
          ({ mediansMs }) => numberText(mediansMs[place] ?? null, 1),
        ],
      ),
      ['Round trips', ({ roundTrips }) => numberText(roundTrips, 2)],
      ['By the protocol', ({ expected }) => expected ?? '–'],
    ],
    groups: metrics
      .filter(({ name }) => attempts.some((each) => each.metrics[name] != null))
      .map(({ label, name }) => [
        label,
        view.arms
          .filter(({ arm }) => attempts.some((each) => each.arm === arm))
          .map((arm) => partOf(arm, name as keyof Durations, { steps, attempts })),
      ]),
  });
}

function partOf(
  arm: Arm,
  name: keyof Durations,
  { steps, attempts }: { steps: readonly DelayStep[]; attempts: readonly Observation[] },
) {
  const { protocol, details = null } = attempts.find((each) => each.arm === arm.arm) ?? {};
  return {
    arm,
    ...growthOf(attempts, steps, { arm: arm.arm, metric: name }),
    expected: protocol ? expectedRoundTrips(protocol, details as SocketDetails | null, name) : null,
  };
}

function expectedRoundTrips(
  protocol: Protocol,
  details: SocketDetails | null,
  part: keyof Durations,
): number | null {
  return details && roundTripsOf(protocol, details)[part];
}

function countedOf({ observations, counted }: RunView): Observation[] {
  return observations.filter(({ id, outcome }) => counted.has(id) && outcome === 'ok');
}

function numberText(value: number | null, digits: number): string {
  return value === null ? '–' : value.toFixed(digits).replace('-', '−');
}
