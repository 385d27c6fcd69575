import type { WireConnection } from '../../ground/records/packets.ts';
import { countText, decimalText, millisecondsText } from '../../kit/text/number.ts';
import type { ReportView } from '../../report/sections/view.ts';
import { shareInterval } from '../../statistics/share-interval.ts';
import type { Claim } from '../claims.ts';
import { armBy, comparePairs, type Measure, medianOf, roundTrips } from '../measures.ts';
import { publishedErrors, publishedPeakMs, publishedTcpConnection } from './published.ts';

export const ARMS = { quic: armBy('quic'), tcp: armBy('tls1.3') } as const;

type ArmReading = Parameters<typeof roundTrips>[0];

const shortest: Claim['at'] = ({ conditions }) =>
  conditions.toSorted((a, b) => a.network.rttMs - b.network.rttMs)[0] ?? null;

/** TCP's handshake by the client's clock. */
const TCP_HANDSHAKE: ArmReading = [ARMS.tcp, 'tcpMs'];
const UNTIL_CLIENT_HELLO = fromCapture(ARMS.tcp, ({ clientHelloMs }) => clientHelloMs);
/** Until a request may leave. */
const BY_TCP = fromCapture(ARMS.tcp, ({ maySendMs }) => maySendMs);
const BY_QUIC = fromCapture(ARMS.quic, ({ maySendMs }) => maySendMs);
/** From the first to the last QUIC packet of type Handshake. */
const HANDSHAKE_PACKETS = fromCapture(
  ARMS.quic,
  ({ handshakePackets: seen }) => seen && seen.lastMs - seen.firstMs,
);

/** The study's claims, timed as the study did and until a request may leave. */
export function claims(): Claim[] {
  const published = publishedTcpConnection();
  const { called, normal, attempts } = publishedErrors();
  const ofAttempts = (count: number) => (100 * count) / attempts.quic;
  const peakMs = (protocol: 'quic' | 'tcp') => publishedPeakMs('transport handshake', protocol, 1);
  const ratioAt = (location: 1 | 2) =>
    publishedPeakMs('before data transfer', 'tcp', location) /
    publishedPeakMs('before data transfer', 'quic', location);
  return [
    {
      claim: `A connection over TCP: SYN/ACK after ${published['SYN/ACK']} ms, “data transfer” after ${published.ClientHello} ms (figure 4.1).`,
      textOf: (ms) => `${millisecondsText(ms)} ms`,
      at: shortest,
      saysDelay: true,
      timings: [
        {
          timed: 'TCP’s handshake',
          published: published.ACK,
          measured: medianOf(TCP_HANDSHAKE),
        },
        {
          timed:
            'until the ClientHello, as the study timed it: includes curl’s own work before it, but not the TLS handshake',
          published: published.ClientHello,
          measured: medianOf(UNTIL_CLIENT_HELLO),
        },
        { timed: 'until a request may leave', measured: medianOf(BY_TCP) },
      ],
    },
    {
      claim: `TCP takes ${decimalText(ratioAt(1))} times as long as QUIC before data transfer from location 1, ${decimalText(ratioAt(2))} times from location 2 (peaks of figure 5.4).`,
      textOf: (times) => times.toFixed(2),
      at: shortest,
      saysDelay: true,
      timings: [
        {
          timed:
            'TCP until the ClientHello, QUIC until a request may leave: as the study timed them, location 2',
          published: ratioAt(2),
          measured: comparePairs('ratio', UNTIL_CLIENT_HELLO, BY_QUIC),
        },
        {
          timed: 'both until a request may leave',
          measured: comparePairs('ratio', BY_TCP, BY_QUIC),
        },
      ],
    },
    {
      claim: `The transport handshake of QUIC takes longer than that of TCP: ${peakMs('quic')} against ${peakMs('tcp')} ms from location 1 (peaks of figure 5.1). Measured here: the growth of each interval, in round trips.`,
      textOf: (count) => `${count.toFixed(2)} RTT`,
      timings: (
        [
          [
            'QUIC, first to last packet of type Handshake, as the study timed it: without the first round trip, but with the acknowledgement of the last packet',
            HANDSHAKE_PACKETS,
          ],
          ['TCP’s handshake, as the study timed it: nothing is encrypted', TCP_HANDSHAKE],
          ['TCP until the ClientHello', UNTIL_CLIENT_HELLO],
          ['TCP and TLS 1.3 until a request may leave', BY_TCP],
          ['QUIC until a request may leave', BY_QUIC],
        ] as const
      ).map(([timed, of]) => ({ timed, measured: roundTrips(of) })),
    },
    {
      claim: `${called} connection errors in ${countText(attempts.quic)} attempts by QUIC (tables 5.1 and 5.4)`,
      textOf: (percent) => `${decimalText(percent, 1)} %`,
      timings: [
        {
          timed: 'every close with a reason, as the study counted',
          published: ofAttempts(called),
          measured: shareOfQuic(({ closes }) => closes.length > 0),
        },
        {
          timed: `only errors: the other ${normal} have the reason kthxbye, with which quiche’s client ends a connection normally`,
          published: ofAttempts(called - normal),
          measured: shareOfQuic(({ closes }) => closes.some(({ isError }) => isError)),
        },
      ],
    },
  ];
}

function connectionOf(
  captures: ReportView['captures'],
  attempt: { id: string },
): WireConnection | undefined {
  return captures.find(({ id }) => id === attempt.id)?.connections[0];
}

function fromCapture(
  arm: ArmReading[0],
  of: (connection: WireConnection) => number | null | undefined,
): ArmReading {
  const reading: ArmReading[1] = (attempt, captures) => {
    const connection = connectionOf(captures, attempt);
    return connection ? (of(connection) ?? null) : null;
  };
  return [arm, reading];
}

function shareOfQuic(isMeant: (connection: WireConnection) => boolean): Measure {
  return (view) => {
    const quic = ARMS.quic(view);
    const connections = view.observations.flatMap((attempt) =>
      attempt.arm === quic && !attempt.warmup ? (connectionOf(view.captures, attempt) ?? []) : [],
    );
    const count = connections.filter(isMeant).length;
    const interval = shareInterval(count, connections.length);
    return (
      interval && {
        estimate: (100 * count) / connections.length,
        low: 100 * interval.low,
        high: 100 * interval.high,
      }
    );
  };
}
