import { readMessages } from './hello.ts';
import type { Handshake, Packet } from './packet.ts';
import {
  decryptPacket,
  initialKeys,
  type LongPacketType,
  packetKey,
  type QuicVersion,
  quicVersion,
} from './packet-key.ts';
import { Reader, readOrNull, Stream } from './reader.ts';

/** Starts with a client's Initial; null: the datagram holds no Initial. */
export function beginQuicHandshake(first: Packet): Handshake | null {
  const initial = first.toServer ? longPacketsOf(first.payload).find(isInitial) : undefined;
  if (initial === undefined) return null;
  // Connection ids that the client chose for the server: after a Retry it uses a new one.
  const ids: Buffer[] = [];
  const client = new Stream();
  const server = new Stream();
  const encrypted: { packet: LongPacket; timeNs: bigint }[] = [];
  let quicVersion: number | null = null;
  let undecrypted = { client: false, server: false };

  const takeInitial = (packet: LongPacket, from: 'client' | 'server', timeNs: bigint) => {
    const stream = from === 'client' ? client : server;
    const frames = decryptWithAny(packet, from, ids);
    if (frames === null) {
      undecrypted = { ...undecrypted, [from]: true };
      return;
    }
    addHandshake(frames, stream, timeNs);
    if (from === 'server') quicVersion = packet.version.number;
  };
  const takeClientInitial = (packet: LongPacket, timeNs: bigint): boolean => {
    if (decryptWithAny(packet, 'client', ids) === null) {
      const own = packet.destination;
      if (decryptWithAny(packet, 'client', [own]) !== null) {
        // After the server's answer, a new id means another connection from the same port.
        if (server.begun) return false;
        ids.push(own);
      }
    }
    takeInitial(packet, 'client', timeNs);
    return true;
  };
  const take = ({ toServer, payload, timeNs }: Packet): boolean => {
    for (const packet of longPacketsOf(payload)) {
      if (packet.type === 'handshake' && !toServer) encrypted.push({ packet, timeNs });
      if (packet.type !== 'initial') continue;
      if (!toServer) takeInitial(packet, 'server', timeNs);
      else if (!takeClientInitial(packet, timeNs)) return false;
    }
    return true;
  };
  take(first);
  return {
    first,
    take,
    clientMessages: () => readMessages(client.beginning()),
    serverMessages: () => readMessages(server.beginning()),
    sentIn: (count) => ({
      packets: client.packetsOf(count),
      firstPacketBytes: first.payload.length,
    }),
    encryptedMessages(secret) {
      const stream = new Stream();
      for (const { packet, timeNs } of encrypted) {
        const { version, bytes, numberAt } = packet;
        const frames = decryptPacket(bytes, numberAt, packetKey(secret, version));
        if (frames !== null) addHandshake(frames, stream, timeNs);
      }
      return readMessages(stream.beginning());
    },
    get clientSpoke() {
      return client.begun || undecrypted.client;
    },
    get serverSpoke() {
      return undecrypted.server || readMessages(server.beginning()).length > 0;
    },
    get clientHelloNs() {
      return client.firstNs;
    },
    get serverHelloNs() {
      return server.firstNs;
    },
    get quicVersion() {
      return quicVersion;
    },
  };
}

function isInitial({ type }: LongPacket): boolean {
  return type === 'initial';
}

/** Decrypts an Initial with the first fitting id; a changed version keeps the client's first id (RFC 9369, section 4). */
function decryptWithAny(
  { version, bytes, numberAt }: LongPacket,
  from: 'client' | 'server',
  ids: readonly Buffer[],
): Buffer | null {
  for (const id of ids) {
    const frames = decryptPacket(bytes, numberAt, initialKeys(id, version)[from]);
    if (frames !== null) return frames;
  }
  return null;
}

/** An encrypted QUIC packet with a long header (RFC 9000, section 17.2). */
interface LongPacket {
  version: QuicVersion;
  type: LongPacketType;
  destination: Buffer;
  bytes: Buffer;
  numberAt: number;
}

const LONG_HEADER = 0x80;

/**
 * The packets at the beginning of a datagram, and of those after it. Skips Version Negotiation and Retry: the client's next Initial shows
 * their effect.
 */
export function longPacketsOf(datagram: Buffer): LongPacket[] {
  const packets: LongPacket[] = [];
  let rest = datagram;
  for (;;) {
    const packet = readOrNull(() => readLongPacket(rest));
    if (packet === null) return packets;
    packets.push(packet);
    rest = withoutPadding(rest.subarray(packet.bytes.length));
  }
}

/** Firefox fills a datagram with zeros, and with offloads another one follows in the same packet. */
function withoutPadding(bytes: Buffer): Buffer {
  const end = bytes.findIndex((byte) => byte !== 0);
  return bytes.subarray(end < 0 ? bytes.length : end);
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

/** Adds the handshake data of a packet's frames to its stream (RFC 9000, section 19). */
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
        // CONNECTION_CLOSE: nothing follows.
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
