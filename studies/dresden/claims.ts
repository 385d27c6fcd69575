import { timeOf } from '../../experiments/sockets/durations.ts';
import type { Protocol } from '../../ground/records/protocol.ts';
import type { SocketDetails, SocketEventName } from '../../ground/records/socket-events.ts';
import { millisecondsText } from '../../kit/text/number.ts';
import type { Claim, Timing } from '../../report/sections/claims.ts';
import { growthIn, medianIn, type Reading } from '../../report/sections/readings.ts';
import type { ReportView } from '../../report/sections/view.ts';
import { differenceIn } from '../arms.ts';
import {
  growthOf,
  LONGEST_DELAY_MS,
  meanAt,
  type PublishedProtocol,
  printedMeans,
  publishedRuns,
} from './published.ts';

/** An event of an exchange: at which end, and of which message, where it is of one. */
type At = readonly [end: 'client' | 'server', event: SocketEventName, message?: number];

const ASKED: At = ['client', 'asked'];
const SECURE: At = ['server', 'secure'];
const ARRIVED: At = ['server', 'data', 1];

const READINGS = {
  /** As the study did: TCP's connection is there when it begins. */
  handshake: between(['server', 'session'], SECURE),
  sent: between(ASKED, ['client', 'sent', 1]),
  secure: between(ASKED, SECURE),
  back: between(ASKED, ['client', 'messageEnd', 1]),
  message: between(ARRIVED, ['server', 'messageEnd', 1]),
} as const;

/** QUIC ends a stream, which has the number of its message; TCP the connection. */
const STREAM_END: Readonly<Record<PublishedProtocol, At>> = {
  quic: ['server', 'streamEnd', 1],
  tcp: ['server', 'streamEnd'],
};

const TIMED = {
  transfer: 'from the message’s first byte to where the client says that no more will come',
  close: 'from there until the server’s socket is closed',
} as const;

const NAMES: Readonly<Record<PublishedProtocol, string>> = { quic: 'QUIC', tcp: 'TCP and TLS' };
const SIDES = ['quic', 'tcp'] as const;

/** The study's claims, each timed as it was there and as it should have been; none without both protocols. */
export function claimsOf(view: ReportView): Claim[] {
  const [quic, tcp] = [armOf(view, 'quic'), armOf(view, 'tls')];
  if (quic === null || tcp === null) return [];
  const arms = { quic, tcp };
  return [
    handshakeClaim(view, arms),
    leadClaim(view, arms),
    transferClaim(view, arms),
    closeClaim(view, arms),
  ];
}

type Arms = Readonly<Record<PublishedProtocol, string>>;

function handshakeClaim(view: ReportView, arms: Arms): Claim {
  const means = printedMeans();
  const runs = publishedRuns();
  const timings = (
    timed: string,
    reading: Reading,
    published: (protocol: PublishedProtocol) => number | null,
  ) => bothSides(timed, published, (side) => roundTrips(view, arms[side], reading));
  return {
    claim: 'The handshake takes as many round trips by QUIC as by TCP and TLS',
    textOf: roundTripsText,
    timings: [
      ...timings(
        'at the server, from where it has a connection until its handshake is over',
        READINGS.handshake,
        (side) => growthOf(means, side, ({ handshakeMs }) => handshakeMs),
      ),
      ...timings('until the client sends its message', READINGS.sent, (side) =>
        growthOf(runs, side, ({ messageSentMs }) => messageSentMs),
      ),
      ...timings(
        'from the client’s wish until the server’s handshake is over',
        READINGS.secure,
        () => null,
      ),
      ...timings('until the answer is back', READINGS.back, () => null),
    ],
  };
}

/** By how much QUIC is later, at the longest delay. */
function leadClaim(view: ReportView, arms: Arms): Claim {
  const means = printedMeans();
  const runs = publishedRuns();
  const condition = atLongest(view);
  const later = (reading: Reading) =>
    condition &&
    differenceIn(view, condition, { arm: arms.quic, reading }, { arm: arms.tcp, reading });
  return {
    claim: `With ${LONGEST_DELAY_MS} ms added TCP and TLS is ahead: by how much QUIC comes later`,
    textOf: (value) => `${value.toFixed(1).replace('-', '−')} ms`,
    timings: [
      {
        timed: 'at the server, from where it has a connection until its handshake is over',
        published:
          meanAt(means, 'quic', LONGEST_DELAY_MS, ({ handshakeMs }) => handshakeMs) -
          meanAt(means, 'tcp', LONGEST_DELAY_MS, ({ handshakeMs }) => handshakeMs),
        measured: later(READINGS.handshake),
      },
      {
        timed: 'until the client sends its message',
        published:
          meanAt(runs, 'quic', LONGEST_DELAY_MS, ({ messageSentMs }) => messageSentMs) -
          meanAt(runs, 'tcp', LONGEST_DELAY_MS, ({ messageSentMs }) => messageSentMs),
        measured: later(READINGS.sent),
      },
    ],
  };
}

function transferClaim(view: ReportView, arms: Arms): Claim {
  const means = printedMeans();
  return {
    claim: 'The transfer of the content slows down with the delay by QUIC alone: round trips',
    textOf: roundTripsText,
    timings: [
      ...bothSides(
        TIMED.transfer,
        (side) => growthOf(means, side, ({ transferMs }) => transferMs),
        (side) => roundTrips(view, arms[side], between(ARRIVED, STREAM_END[side])),
      ),
      ...bothSides(
        'from the message’s first byte to its last',
        () => null,
        (side) => roundTrips(view, arms[side], READINGS.message),
      ),
    ],
  };
}

function closeClaim(view: ReportView, arms: Arms): Claim {
  const means = printedMeans();
  const runs = publishedRuns();
  const condition = atLongest(view);
  const measured = (side: PublishedProtocol, reading: Reading | string) =>
    condition && medianIn(view, condition, { arm: arms[side], reading });
  return {
    claim: `Closing takes QUIC hundreds of ms, here with ${LONGEST_DELAY_MS} ms added`,
    textOf: (value) => `${millisecondsText(value)} ms`,
    timings: [
      ...bothSides(
        `${TIMED.close}, whole seconds dropped`,
        (side) => meanAt(means, side, LONGEST_DELAY_MS, ({ closeMs }) => closeMs),
        () => null,
      ),
      ...bothSides(
        `${TIMED.close}`,
        (side) => meanAt(runs, side, LONGEST_DELAY_MS, ({ closeMs }) => closeMs),
        (side) => measured(side, between(STREAM_END[side], ['server', 'socketClose'])),
      ),
      ...bothSides(
        'from the client’s wish to close until both ends have',
        () => null,
        (side) => measured(side, 'closeMs'),
      ),
    ],
  };
}

/** One way to time both protocols. */
function bothSides(
  timed: string,
  published: (side: PublishedProtocol) => Timing['published'],
  measured: (side: PublishedProtocol) => Timing['measured'],
): Timing[] {
  return SIDES.map((side) => ({
    timed: `by ${NAMES[side]} ${timed}`,
    published: published(side),
    measured: measured(side),
  }));
}

function roundTrips(view: ReportView, arm: string, reading: Reading): Timing['measured'] {
  return growthIn(view, { arm, reading })?.roundTrips ?? null;
}

function atLongest({ conditions }: ReportView) {
  return conditions.find(({ network }) => network.rttMs === LONGEST_DELAY_MS) ?? null;
}

function armOf({ run }: ReportView, protocol: Protocol): string | null {
  return (
    run.arms.find((each) => each.protocol === protocol && each.controlOf === null)?.arm ?? null
  );
}

/** Two decimals, and no sign where they are zeros. */
function roundTripsText(value: number): string {
  return (Number(value.toFixed(2)) + 0).toFixed(2).replace('-', '−');
}

/** From one event of an exchange to another. */
function between(from: At, to: At): Reading {
  return ({ details }) => {
    const timesMs = [from, to].map(([end, event, message = null]) =>
      timeOf((details as SocketDetails | null)?.[end] ?? [], event, message),
    );
    const [fromMs = null, toMs = null] = timesMs;
    return fromMs === null || toMs === null ? null : toMs - fromMs;
  };
}
