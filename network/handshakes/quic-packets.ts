import { type LongPacketType, type QuicVersion, quicVersion } from './quic-version.ts';
import { Reader, readOrNull } from './reader.ts';
import type { Stream } from './stream.ts';

/** A QUIC packet with a long header (RFC 9000, section 17.2), still closed. */
export interface LongPacket {
  version: QuicVersion;
  type: LongPacketType;
  destination: Buffer;
  bytes: Buffer;
  numberAt: number;
}

const LONG_HEADER = 0x80;

/**
 * The packets at the beginning of a datagram, which may hold several. A server's wish for a version that the
 * client did not offer, or for another attempt (Retry), is passed over: the client's next Initial shows what it did about it.
 */
export function longPacketsOf(datagram: Buffer): LongPacket[] {
  const packets: LongPacket[] = [];
  let rest = datagram;
  for (;;) {
    const packet = readOrNull(() => readLongPacket(rest));
    if (packet === null) return packets;
    packets.push(packet);
    rest = rest.subarray(packet.bytes.length);
  }
}

function readLongPacket(bytes: Buffer): LongPacket | null {
  const reader = new Reader(bytes);
  const first = reader.number(1);
  const version = quicVersion(reader.number(4));
  if (!(first & LONG_HEADER) || version === undefined) return null;
  const destination = reader.list(1);
  reader.list(1);
  const type = version.types[(first >> 4) & 3] ?? null;
  if (type === null) return null;
  if (type === 'initial') reader.bytes(reader.varint());
  const length = reader.varint();
  const numberAt = reader.at;
  reader.bytes(length);
  return { version, type, destination, bytes: bytes.subarray(0, reader.at), numberAt };
}

const PADDING = 0x00;
const PING = 0x01;
const ACK = 0x02;
const ACK_WITH_ECN = 0x03;
const CRYPTO = 0x06;

/** Adds what the frames of a packet hold of the handshake to its stream (RFC 9000, section 19). */
export function addHandshake(frames: Buffer, stream: Stream, timeNs: bigint): void {
  const reader = new Reader(frames);
  readOrNull(() => {
    while (reader.left > 0) {
      const type = reader.varint();
      if (type === PADDING || type === PING) continue;
      if (type === CRYPTO) {
        stream.add(reader.varint(), reader.bytes(reader.varint()), timeNs);
      } else if (type === ACK || type === ACK_WITH_ECN) {
        skipAcknowledgement(reader, type === ACK_WITH_ECN);
      } else {
        // It closes the connection: nothing comes after it.
        return;
      }
    }
  });
}

function skipAcknowledgement(reader: Reader, withEcn: boolean): void {
  reader.varint();
  reader.varint();
  const ranges = reader.varint();
  reader.varint();
  for (let range = 0; range < ranges; range++) {
    reader.varint();
    reader.varint();
  }
  if (withEcn) for (let count = 0; count < 3; count++) reader.varint();
}
