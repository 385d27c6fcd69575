import type { Resumption } from '../../ground/records/connection-attempt.ts';
import type { ConnectionTransport } from '../../ground/records/connection-transport.ts';

/** How an arm makes its connections. */
export interface HandshakeKind {
  via: ConnectionTransport;
  resumption: Resumption;
  /** Whether the client sends before a full handshake by TLS 1.2 is complete; absent: it does not. */
  startsEarly?: boolean;
  /** Whether it is Google's QUIC, from before that of the IETF, whose handshake ends with the server's answer to what the client sends when it may; absent: it is not. */
  isGoogleQuic?: boolean;
}

/** Until the handshake is complete or early data may leave (RFC 9001, RFC 8446, RFC 5246); TLS on TCP waits for TCP first. null: TLS 1.2 has no early data. */
const ROUND_TRIPS_UNTIL_READY: Record<ConnectionTransport, Record<Resumption, number | null>> = {
  quic: { none: 1, ticket: 1, 'early-data': 0 },
  'tls1.3': { none: 2, ticket: 2, 'early-data': 1 },
  'tls1.2': { none: 3, ticket: 2, 'early-data': null },
  tcp: { none: 1, ticket: 1, 'early-data': 1 },
};

/**
 * The round trips that a protocol waits for until an instant of a connection, one after the other; null: it has no such instant, or
 * the protocol does not say. Retry packets, a second ClientHello and long certificate chains cost more of them.
 * @param instant name of the metric that ends at it
 */
export function handshakeRoundTrips(
  { via, resumption, startsEarly = false, isGoogleQuic = false }: HandshakeKind,
  instant: string,
): number | null {
  const ready = ROUND_TRIPS_UNTIL_READY[via][resumption];
  const isEarly = startsEarly && via === 'tls1.2' && resumption === 'none';
  const maySend = ready !== null && isEarly ? ready - 1 : ready;
  // Early data leaves before the handshake is complete, which takes as long as with a ticket alone.
  const answered =
    ready === null ? null : Math.max(ready, ROUND_TRIPS_UNTIL_READY[via].ticket ?? 0);
  const complete = answered !== null && isGoogleQuic ? answered + 1 : answered;
  switch (instant) {
    case 'tcpMs':
      return via === 'quic' ? null : 1;
    case 'maySendMs':
      return maySend;
    case 'completeMs':
      return complete;
    case 'confirmedMs':
      return via === 'quic' && answered !== null ? answered + 1 : null;
    case 'firstByteMs':
      return maySend === null ? null : maySend + 1;
    default:
      return null;
  }
}
