import type { Resumption } from '../../ground/records/connection-attempt.ts';
import type { ConnectionTransport } from '../../ground/records/connection-transport.ts';

export interface HandshakeKind {
  transport: ConnectionTransport;
  resumption: Resumption;
  /** Whether the client sends before a full handshake by TLS 1.2 is complete (False Start); absent: no. */
  startsEarly?: boolean;
  /** Whether it is Google's QUIC, whose handshake ends with the server's answer to the client's first data; absent: no. */
  isGoogleQuic?: boolean;
}

/**
 * Round trips until the handshake is complete or early data may leave (RFC 9001, RFC 8446, RFC 5246), including the TCP
 * handshake. null: TLS 1.2 has no early data.
 */
const ROUND_TRIPS_UNTIL_READY: Record<ConnectionTransport, Record<Resumption, number | null>> = {
  quic: { none: 1, ticket: 1, 'early-data': 0 },
  'tls1.3': { none: 2, ticket: 2, 'early-data': 1 },
  'tls1.2': { none: 3, ticket: 2, 'early-data': null },
  tcp: { none: 1, ticket: 1, 'early-data': 1 },
};

/**
 * Number of consecutive round trips that the protocol needs until a metric of a connection ends; null: the protocol has no
 * such metric, or does not define the number. Retry packets, a second ClientHello and long certificate chains cost more.
 * @param metric its name
 */
export function handshakeRoundTrips(
  { transport, resumption, startsEarly = false, isGoogleQuic = false }: HandshakeKind,
  metric: string,
): number | null {
  const ready = ROUND_TRIPS_UNTIL_READY[transport][resumption];
  const isEarly = startsEarly && transport === 'tls1.2' && resumption === 'none';
  const maySend = ready !== null && isEarly ? ready - 1 : ready;
  // With early data the handshake takes as long as with only a ticket.
  const answered =
    ready === null ? null : Math.max(ready, ROUND_TRIPS_UNTIL_READY[transport].ticket ?? 0);
  const complete = answered !== null && isGoogleQuic ? answered + 1 : answered;
  switch (metric) {
    case 'tcpMs':
      return transport === 'quic' ? null : 1;
    case 'maySendMs':
      return maySend;
    case 'completeMs':
      return complete;
    case 'confirmedMs':
      return transport === 'quic' && answered !== null ? answered + 1 : null;
    case 'firstByteMs':
      return maySend === null ? null : maySend + 1;
    default:
      return null;
  }
}
