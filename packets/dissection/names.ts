import {
  type DissectedPacket,
  isStream,
  LONG_PACKETS,
  type QuicFrame,
  type QuicPacket,
  TCP_FLAG,
} from './packet.ts';

/** Name of a QUIC frame (RFC 9000, section 19). */
export function frameName(frame: QuicFrame): string {
  return isStream(frame) ? 'STREAM' : (FRAMES[frame.type] ?? `0x${frame.type.toString(16)}`);
}

export function quicPacketName({ long, longType, version }: QuicPacket): string {
  if (long !== 1) return '1-RTT';
  return version === 0 ? 'Version Negotiation' : (LONG_PACKETS[longType ?? -1] ?? 'long header');
}

/** Name of a TLS handshake message (RFC 8446, section 4). */
export function handshakeName(type: number): string {
  return MESSAGES[type] ?? `message ${type}`;
}

export function flagNames(flags: number): string[] {
  return Object.entries(TCP_FLAG).flatMap(([name, bit]) =>
    flags & bit ? [name.toUpperCase()] : [],
  );
}

export function handshakesOf({ records = [], quic = [] }: DissectedPacket): string[] {
  return [...records, ...quic].flatMap(({ handshake = [] }) =>
    handshake.map(({ type }) => handshakeName(type)),
  );
}

const FRAMES: Record<number, string> = {
  0: 'PADDING',
  1: 'PING',
  2: 'ACK',
  3: 'ACK',
  4: 'RESET_STREAM',
  5: 'STOP_SENDING',
  6: 'CRYPTO',
  7: 'NEW_TOKEN',
  16: 'MAX_DATA',
  17: 'MAX_STREAM_DATA',
  18: 'MAX_STREAMS',
  19: 'MAX_STREAMS',
  20: 'DATA_BLOCKED',
  21: 'STREAM_DATA_BLOCKED',
  22: 'STREAMS_BLOCKED',
  23: 'STREAMS_BLOCKED',
  24: 'NEW_CONNECTION_ID',
  25: 'RETIRE_CONNECTION_ID',
  26: 'PATH_CHALLENGE',
  27: 'PATH_RESPONSE',
  28: 'CONNECTION_CLOSE',
  29: 'CONNECTION_CLOSE',
  30: 'HANDSHAKE_DONE',
  48: 'DATAGRAM',
  49: 'DATAGRAM',
};

const MESSAGES: Record<number, string> = {
  0: 'HelloRequest',
  1: 'ClientHello',
  2: 'ServerHello',
  4: 'NewSessionTicket',
  5: 'EndOfEarlyData',
  8: 'EncryptedExtensions',
  11: 'Certificate',
  12: 'ServerKeyExchange',
  13: 'CertificateRequest',
  14: 'ServerHelloDone',
  15: 'CertificateVerify',
  16: 'ClientKeyExchange',
  20: 'Finished',
  22: 'CertificateStatus',
  24: 'KeyUpdate',
  25: 'CompressedCertificate',
};
