import type { CaptureRecord, WireConnection } from '../../../ground/records/packets.ts';
import { LAYER_NAMES, type LayerBytes } from '../../../ground/records/packets.ts';
import { QuicReader } from '../../../packets/connections/quic-reader.ts';
import { TcpReader } from '../../../packets/connections/tcp-reader.ts';
import type { Direction } from '../../../packets/connections/wire-counts.ts';
import {
  type DissectedPacket,
  QUIC_FRAME,
  type QuicFrame,
  type QuicPacket,
  TCP_FLAG,
  type TcpSegment,
  TLS_RECORD,
} from '../../../packets/dissection/packet.ts';

const CLIENT = { ip: '192.0.2.1', port: 50_000 };
const SERVER = { ip: '192.0.2.2', port: 443 };
const ETHERNET_BYTES = 14;
const IP_BYTES = 20;
const TCP_BYTES = 32;
const UDP_BYTES = 8;

export const ENDS = {
  client: `${CLIENT.ip}:${CLIENT.port}`,
  server: `${SERVER.ip}:${SERVER.port}`,
};

/** A packet at its time, in ms. */
export interface TimedPacket {
  atMs: number;
  packet: DissectedPacket;
}

type PacketExtras = Partial<
  Pick<DissectedPacket, 'alerts' | 'comments' | 'http1' | 'http2' | 'records'>
>;

/** A segment of TCP; SYN, ACK and the like by their names. */
export function segment(
  atMs: number,
  direction: Direction,
  {
    flags = 'ack',
    alerts,
    comments,
    http1,
    http2,
    records,
    ...of
  }: Partial<Omit<TcpSegment, 'flags'>> & PacketExtras & { flags?: string } = {},
): TimedPacket {
  const bits = flags
    .split(' ')
    .reduce((sum, name) => sum + TCP_FLAG[name as keyof typeof TCP_FLAG], 0);
  const tcp: TcpSegment = {
    ...portsOf(direction),
    stream: 0,
    start: ETHERNET_BYTES + IP_BYTES,
    headBytes: TCP_BYTES,
    bytes: 0,
    sequence: 1,
    acknowledged: 1,
    flags: bits,
    ...of,
  };
  const rest = { alerts, comments, http1, http2, records };
  return framed(atMs, direction, { tcp, ...rest }, TCP_BYTES + tcp.bytes);
}

/** A datagram with these QUIC packets. */
export function datagram(
  atMs: number,
  direction: Direction,
  quic: QuicPacket[],
  {
    spareBytes = 0,
    moved = false,
    ...rest
  }: PacketExtras & { spareBytes?: number; moved?: boolean } = {},
): TimedPacket {
  const bytes = quic.reduce((sum, each) => sum + each.bytes, spareBytes);
  const udp = {
    ...portsOf(direction, moved),
    stream: moved ? 1 : 0,
    connection: 0,
    start: ETHERNET_BYTES + IP_BYTES,
    headBytes: UDP_BYTES,
    bytes,
  };
  return framed(atMs, direction, { udp, quic, ...rest }, UDP_BYTES + bytes);
}

const QUIC_HEAD_BYTES = 20;
const TAG_BYTES = 16;
const LONG_TYPES = { initial: 0, early: 1, handshake: 2 } as const;

/** A QUIC packet with these frames; without any it could not be decrypted. */
export function quicPacket(
  space: keyof typeof LONG_TYPES | 'short',
  number: number,
  frames: QuicFrame[] = [],
  { closedBytes = 0, ...of }: Partial<QuicPacket> & { closedBytes?: number } = {},
): QuicPacket {
  const payloadBytes =
    frames.reduce((sum, { bytes }) => sum + bytes, closedBytes) +
    (frames.length > 0 ? TAG_BYTES : 0);
  return {
    bytes: QUIC_HEAD_BYTES + payloadBytes,
    payloadBytes,
    ...(space === 'short' ? { long: 0 } : { long: 1, longType: LONG_TYPES[space], version: 1 }),
    ...(frames.length > 0 ? { number, frames } : {}),
    ...of,
  };
}

export function crypto(offset: number, dataBytes: number): QuicFrame {
  return { type: QUIC_FRAME.crypto, bytes: dataBytes + 4, offset, dataBytes };
}

export function streamFrame(stream: number, offset: number, data: Buffer): QuicFrame {
  const frame = { type: 0x0e, bytes: data.length + 5, stream, offset, dataBytes: data.length };
  return stream % 4 < 2 ? { ...frame, data: data.toString('hex') } : frame;
}

export function ack(largest: number, delay = 0): QuicFrame {
  return { type: QUIC_FRAME.ack, bytes: 5, largest, delay, ranges: [0] };
}

/** A sealed record of TLS 1.3 that could be decrypted. */
export function opened(contentBytes: number, of: Partial<TlsRecordOf> = {}): TlsRecordOf {
  return { bytes: contentBytes + 22, sealed: true, type: TLS_RECORD.data, ...of };
}

type TlsRecordOf = NonNullable<DissectedPacket['records']>[number];

/** An HTTP/3 frame: 0 DATA, 1 HEADERS. */
export function http3Frame(type: number, contentBytes: number): Buffer {
  const head = Buffer.alloc(5);
  head[0] = type;
  head.writeUInt32BE(0x8000_0000 + contentBytes, 1);
  return Buffer.concat([head, Buffer.alloc(contentBytes, 0xff)]);
}

export function readTcp(packets: readonly TimedPacket[]): WireConnection {
  return read(new TcpReader(ENDS, 0), packets);
}

export function readQuic(packets: readonly TimedPacket[]): WireConnection {
  return read(new QuicReader(ENDS, 0), packets);
}

function read(reader: TcpReader | QuicReader, packets: readonly TimedPacket[]): WireConnection {
  for (const { packet, atMs } of packets) reader.take(packet, atMs);
  return reader.figures();
}

/** Bytes of all layers of a connection. */
export function layersOf({ beforeRequest, afterRequest }: WireConnection): LayerBytes {
  return Object.fromEntries(
    LAYER_NAMES.map((layer) => [layer, beforeRequest[layer] + afterRequest[layer]]),
  ) as LayerBytes;
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** Results from a capture of such connections. */
export function captureOf(connections: WireConnection[]): CaptureRecord {
  return {
    packets: sumOf(connections.map((each) => each.toServer.packets + each.toClient.packets)),
    bytes: sumOf(connections.map((each) => each.toServer.bytes + each.toClient.bytes)),
    earlierPackets: 0,
    cutPackets: 0,
    otherPackets: 0,
    connections,
    complaints: [],
  };
}

function portsOf(direction: Direction, moved = false): { from: number; to: number } {
  const port = CLIENT.port + (moved ? 1 : 0);
  return direction === 'toServer'
    ? { from: port, to: SERVER.port }
    : { from: SERVER.port, to: port };
}

function framed(
  atMs: number,
  direction: Direction,
  of: Partial<DissectedPacket>,
  contentBytes: number,
): TimedPacket {
  const [from, to] = direction === 'toServer' ? [CLIENT, SERVER] : [SERVER, CLIENT];
  const bytes = ETHERNET_BYTES + IP_BYTES + contentBytes;
  const ip = { start: ETHERNET_BYTES, from: from.ip, to: to.ip };
  return { atMs, packet: { n: 1, s: 0, ns: 0, bytes, capturedBytes: bytes, ip, ...of } };
}
