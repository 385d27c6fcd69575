import { millisecondsText } from '../../kit/text/number.ts';
import type { Claim } from '../claims.ts';
import { armOf, comparePairs, medianOf, roundTrips, withDelay } from '../measures.ts';
import type { Reading } from '../readings.ts';
import {
  growthOf,
  LONGEST_DELAY_MS,
  meanAt,
  type PublishedProtocol,
  printedMeans,
  publishedRuns,
} from './published.ts';

export const ARMS = { quic: armOf('quic'), tcp: armOf('tls') } as const;

type Timing = Claim['timings'][number];

const NAMES: Readonly<Record<PublishedProtocol, string>> = { quic: 'QUIC', tcp: 'TCP and TLS' };
const SIDES = ['quic', 'tcp'] as const;

/** An event of an exchange: its end, and its message if it has one. */
type EventSelector = readonly [end: 'client' | 'server', event: string, message?: number];

/** Recorded events of both ends. */
type Events = Readonly<
  Partial<
    Record<
      EventSelector[0],
      readonly { event: string; message: number | null; atMs: number }[] | null
    >
  >
>;

const REQUESTED: EventSelector = ['client', 'requested'];
const SECURE: EventSelector = ['server', 'secure'];
const ARRIVED: EventSelector = ['server', 'data', 1];

const READINGS = {
  /** As in the study: TCP is already connected at the start. */
  handshake: between(['server', 'session'], SECURE),
  sent: between(REQUESTED, ['client', 'sent', 1]),
  secure: between(REQUESTED, SECURE),
  back: between(REQUESTED, ['client', 'messageEnd', 1]),
  message: between(ARRIVED, ['server', 'messageEnd', 1]),
} as const;

/** QUIC ends a stream, with the number of its message; TCP ends the connection. */
const STREAM_END: Readonly<Record<PublishedProtocol, EventSelector>> = {
  quic: ['server', 'streamEnd', 1],
  tcp: ['server', 'streamEnd'],
};

const AT_SERVER = 'at the server, from the connection to the end of the handshake';
const TRANSFER = 'from the message’s first byte until the client announces the end';
const CLOSE = 'from there until the server’s socket is closed';

/** The study's claims, timed as the study did and as the question needs it. */
export function claims(): Claim[] {
  const [means, runs] = [printedMeans(), publishedRuns()];
  const grows = (side: PublishedProtocol, reading: Reading) => roundTrips([ARMS[side], reading]);
  const later = (reading: Reading) =>
    comparePairs('difference', [ARMS.quic, reading], [ARMS.tcp, reading]);
  const atLongest = withDelay(LONGEST_DELAY_MS);
  return [
    {
      claim: 'The handshake takes as many round trips by QUIC as by TCP and TLS',
      textOf: roundTripsText,
      timings: bothSides([
        [
          AT_SERVER,
          (side) => growthOf(means, side, ({ handshakeMs }) => handshakeMs),
          (side) => grows(side, READINGS.handshake),
        ],
        [
          'until the client sends its message',
          (side) => growthOf(runs, side, ({ messageSentMs }) => messageSentMs),
          (side) => grows(side, READINGS.sent),
        ],
        [
          'from the client’s request to connect until the server’s handshake is complete',
          null,
          (side) => grows(side, READINGS.secure),
        ],
        ['until the answer is received', null, (side) => grows(side, READINGS.back)],
      ]),
    },
    {
      claim: `With ${LONGEST_DELAY_MS} ms added TCP and TLS is ahead: delay of QUIC relative to it`,
      textOf: (value) => `${value.toFixed(1).replace('-', '−')} ms`,
      at: atLongest,
      timings: [
        {
          timed: AT_SERVER,
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
    },
    {
      claim: 'Only over QUIC the transfer of the content slows down with the delay: round trips',
      textOf: roundTripsText,
      timings: bothSides([
        [
          TRANSFER,
          (side) => growthOf(means, side, ({ transferMs }) => transferMs),
          (side) => grows(side, between(ARRIVED, STREAM_END[side])),
        ],
        [
          'from the message’s first byte to its last',
          null,
          (side) => grows(side, READINGS.message),
        ],
      ]),
    },
    {
      claim: `Closing takes QUIC hundreds of ms, here with ${LONGEST_DELAY_MS} ms added`,
      textOf: (value) => `${millisecondsText(value)} ms`,
      at: atLongest,
      timings: bothSides([
        [
          `${CLOSE}, whole seconds dropped`,
          (side) => meanAt(means, side, LONGEST_DELAY_MS, ({ closeMs }) => closeMs),
          null,
        ],
        [
          CLOSE,
          (side) => meanAt(runs, side, LONGEST_DELAY_MS, ({ closeMs }) => closeMs),
          (side) => medianOf([ARMS[side], between(STREAM_END[side], ['server', 'socketClose'])]),
        ],
        [
          'from the client’s request to close until both ends have closed',
          null,
          (side) => medianOf([ARMS[side], 'closeMs']),
        ],
      ]),
    },
  ];
}

/** Timings of both protocols, each with its published and measured value. */
function bothSides(
  definitions: readonly (readonly [
    timed: string,
    published: ((side: PublishedProtocol) => number | null) | null,
    measured: ((side: PublishedProtocol) => Timing['measured']) | null,
  ])[],
): Timing[] {
  return definitions.flatMap(([timed, published, measured]) =>
    SIDES.map((side) => ({
      timed: `by ${NAMES[side]} ${timed}`,
      published: published?.(side) ?? null,
      measured: measured?.(side) ?? null,
    })),
  );
}

/** Two decimals, without "-0.00". */
function roundTripsText(value: number): string {
  return (Number(value.toFixed(2)) + 0).toFixed(2).replace('-', '−');
}

function between(...ends: readonly [from: EventSelector, to: EventSelector]): Reading {
  return ({ details }) => {
    const [fromMs = null, toMs = null] = ends.map(
      ([end, event, message = null]) =>
        (details as Events | null)?.[end]?.find(
          (each) => each.event === event && each.message === message,
        )?.atMs ?? null,
    );
    return fromMs === null || toMs === null ? null : toMs - fromMs;
  };
}
