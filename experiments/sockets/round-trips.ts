import type { Protocol } from '../../ground/records/protocol.ts';
import type { SocketDetails } from '../../ground/records/socket-events.ts';
import type { Durations } from './durations.ts';

/** Largest message that fits the initial window of every protocol: ten segments (RFC 6928). */
const AT_ONCE_BYTES = 13_000;

/** Round trips that the protocols specify for handshake and close. */
const CONNECTION_ROUND_TRIPS: Partial<Record<Protocol, { handshake: number; close: number }>> = {
  // RFC 9001; CONNECTION_CLOSE has no response (RFC 9000, 10.2).
  quic: { handshake: 1, close: 0.5 },
  // TCP's own handshake, then that of TLS 1.3 (RFC 8446); FIN is answered (RFC 9293).
  tls: { handshake: 2, close: 1 },
  tcp: { handshake: 1, close: 1 },
};

/** Round trips that the protocol needs for each part; null: depends on window growth. */
export function roundTripsOf(
  protocol: Protocol,
  { messageBytes, messages }: Pick<SocketDetails, 'messageBytes' | 'messages'>,
): Durations {
  const { handshake = null, close = null } = CONNECTION_ROUND_TRIPS[protocol] ?? {};
  const transfer = messageBytes <= AT_ONCE_BYTES ? 0.5 : null;
  const total =
    handshake === null || close === null || transfer === null ? null : handshake + messages + close;
  return {
    handshakeMs: handshake,
    firstByteMs: 0.5,
    transferMs: transfer,
    closeMs: close,
    totalMs: total,
    reuseFirstByteMs: 0.5,
    reuseTransferMs: transfer,
  };
}
