import type { WireConnection } from '../../ground/records/packets.ts';
import type { Estimate } from '../../kit/text/estimate.ts';
import { countText, decimalText, millisecondsText } from '../../kit/text/number.ts';
import type { Claim } from '../../report/sections/claims.ts';
import { growthIn, medianIn, type ReadingOf } from '../../report/sections/readings.ts';
import type { ReportView } from '../../report/sections/view.ts';
import { shareInterval } from '../../statistics/share-interval.ts';
import { armBy, ratioIn } from '../arms.ts';
import { publishedErrors, publishedPeakMs, publishedTcpConnection } from './published.ts';

/** What the claims are made of: stretches of connections as their packets tell, and TCP's handshake by the client's clock. */
interface Stretches {
  tcpHandshake: ReadingOf;
  /** By TCP. */
  untilClientHello: ReadingOf;
  /** Until a request may leave. */
  tcp: ReadingOf;
  quic: ReadingOf;
  /** From the first to the last packet of QUIC that is of the type Handshake. */
  handshakePackets: ReadingOf;
}

/** The study's claims, each timed as it was there and to where a request may leave; none without both ways of connecting. */
export function claimsOf(view: ReportView): Claim[] {
  const [quic, tcp] = [armBy(view, 'quic'), armBy(view, 'tls1.3')];
  const [shortest] = view.conditions.toSorted((a, b) => a.network.rttMs - b.network.rttMs);
  if (quic === null || tcp === null || shortest === undefined) return [];
  const connections = connectionsOf(view);
  const read = (
    arm: string,
    of: (connection: WireConnection) => number | null | undefined,
  ): ReadingOf => ({
    arm,
    reading: ({ id }) => {
      const connection = connections.get(id);
      return connection ? (of(connection) ?? null) : null;
    },
  });
  const stretches: Stretches = {
    tcpHandshake: { arm: tcp, reading: 'tcpMs' },
    untilClientHello: read(tcp, ({ clientHelloMs }) => clientHelloMs),
    tcp: read(tcp, ({ maySendMs }) => maySendMs),
    quic: read(quic, ({ maySendMs }) => maySendMs),
    handshakePackets: read(
      quic,
      ({ handshakePackets: seen }) => seen && seen.lastMs - seen.firstMs,
    ),
  };
  const byQuic = view.observations.flatMap(({ id, arm, warmup }) =>
    arm === quic && !warmup ? (connections.get(id) ?? []) : [],
  );
  return [
    tcpConnection(view, shortest, stretches),
    beforeData(view, shortest, stretches),
    transportHandshake(view, stretches),
    connectionErrors(byQuic),
  ];
}

/** The connection of each capture, by the attempt. */
function connectionsOf({ captures }: ReportView): Map<string, WireConnection> {
  return new Map(
    captures.flatMap(({ id, connections: [connection] }) => (connection ? [[id, connection]] : [])),
  );
}

type Condition = ReportView['conditions'][number];

function tcpConnection(view: ReportView, condition: Condition, stretches: Stretches): Claim {
  const published = publishedTcpConnection();
  return {
    claim: `A connection over TCP: SYN/ACK after ${published['SYN/ACK']} ms, “data transfer” after ${published.ClientHello} ms (figure 4.1). ${measuredIn(condition)}`,
    textOf: (ms) => `${millisecondsText(ms)} ms`,
    timings: [
      {
        timed: 'TCP’s handshake',
        published: published.ACK,
        measured: medianIn(view, condition, stretches.tcpHandshake),
      },
      {
        timed:
          'until the ClientHello, as the study timed it: what curl did before is in it, the handshake of TLS is not',
        published: published.ClientHello,
        measured: medianIn(view, condition, stretches.untilClientHello),
      },
      {
        timed: 'until a request may leave',
        published: null,
        measured: medianIn(view, condition, stretches.tcp),
      },
    ],
  };
}

function beforeData(
  view: ReportView,
  condition: Condition,
  { untilClientHello, tcp, quic }: Stretches,
): Claim {
  const ratioAt = (location: 1 | 2) =>
    publishedPeakMs('before data transfer', 'tcp', location) /
    publishedPeakMs('before data transfer', 'quic', location);
  return {
    claim: `Before data are transferred TCP takes ${decimalText(ratioAt(1))} times as long as QUIC from location 1, ${decimalText(ratioAt(2))} times from location 2 (peaks of figure 5.4). ${measuredIn(condition)}`,
    textOf: (ratio) => ratio.toFixed(2),
    timings: [
      {
        timed:
          'TCP until the ClientHello, QUIC until a request may leave: as the study timed them, location 2',
        published: ratioAt(2),
        measured: ratioIn(view, condition, untilClientHello, quic),
      },
      {
        timed: 'both until a request may leave',
        published: null,
        measured: ratioIn(view, condition, tcp, quic),
      },
    ],
  };
}

function transportHandshake(view: ReportView, stretches: Stretches): Claim {
  const peakMs = (protocol: 'quic' | 'tcp') => publishedPeakMs('transport handshake', protocol, 1);
  const timing = (timed: string, stretch: ReadingOf) => ({
    timed,
    published: null,
    measured: growthIn(view, stretch)?.roundTrips ?? null,
  });
  return {
    claim: `The transport handshake of QUIC takes longer than that of TCP: ${peakMs('quic')} against ${peakMs('tcp')} ms from location 1 (peaks of figure 5.1). Here, by how many round trips each stretch grows.`,
    textOf: (count) => `${count.toFixed(2)} RTT`,
    timings: [
      timing(
        'QUIC, first to last packet of type Handshake, as the study timed it: without the first round trip, but with the acknowledgement of the last packet',
        stretches.handshakePackets,
      ),
      timing(
        'TCP’s handshake, as the study timed it: nothing is encrypted',
        stretches.tcpHandshake,
      ),
      timing('TCP until the ClientHello', stretches.untilClientHello),
      timing('TCP and TLS 1.3 until a request may leave', stretches.tcp),
      timing('QUIC until a request may leave', stretches.quic),
    ],
  };
}

function connectionErrors(connections: readonly WireConnection[]): Claim {
  const { called, normal, attempts } = publishedErrors();
  const ofAttempts = (count: number) => (100 * count) / attempts.quic;
  return {
    claim: `${called} connection errors in ${countText(attempts.quic)} attempts by QUIC (tables 5.1 and 5.4)`,
    textOf: (percent) => `${decimalText(percent, 1)} %`,
    timings: [
      {
        timed: 'every close that has a reason, as the study counted',
        published: ofAttempts(called),
        measured: sharePercent(connections, ({ closes }) => closes.length > 0),
      },
      {
        timed: `those that are errors: the other ${normal} say kthxbye, with which quiche’s client ends a connection in good order`,
        published: ofAttempts(called - normal),
        measured: sharePercent(connections, ({ closes }) => closes.some(({ isError }) => isError)),
      },
    ],
  };
}

function measuredIn({ network }: Condition): string {
  return `Measured here with ${network.rttMs} ms added.`;
}

function sharePercent(
  connections: readonly WireConnection[],
  isMeant: (connection: WireConnection) => boolean,
): Estimate | null {
  const count = connections.filter(isMeant).length;
  const interval = shareInterval(count, connections.length);
  return (
    interval && {
      estimate: (100 * count) / connections.length,
      low: 100 * interval.low,
      high: 100 * interval.high,
    }
  );
}
