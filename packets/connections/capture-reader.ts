import type { CaptureRecord } from '../../ground/records/packets.ts';
import { type DissectionOptions, dissect } from '../dissection/dissect.ts';
import { type DissectedPacket, isEarlier, TCP_FLAG } from '../dissection/packet.ts';
import { spaceOf } from './acknowledgement.ts';
import { ConnectionReader, type Ends, receiverOf, senderOf } from './connection-reader.ts';
import { QuicReader } from './quic-reader.ts';
import { TcpReader } from './tcp-reader.ts';
import type { Direction } from './wire-counts.ts';

export interface CapturedPacket {
  packet: DissectedPacket;
  /** Time in ms after the first packet of the attempt, or of the file. */
  atMs: number;
  /** Index of its connection in the record; null: no connection. */
  connection: number | null;
  /** Sender; null: no connection. */
  direction: Direction | null;
  /** Retransmitted bytes of TCP or stream data. */
  againBytes: number;
}

/**
 * Reads a capture from beginning to end; memory grows with its connections, not with its packets.
 * @param each receives every packet of the attempt as it is read
 * @throws what dissect() throws
 */
export async function readCapture(
  file: string,
  options: Omit<DissectionOptions, 'complain'> = {},
  each: (packet: CapturedPacket) => void | Promise<void> = () => {},
): Promise<CaptureRecord> {
  const readers = new Map<string, ConnectionReader>();
  /** Keys of connections in the order of their first packets, without those that ended before the attempt. */
  const order = new Map<string, number>();
  /** Key of the last QUIC connection of each UDP stream. */
  const quicOf = new Map<number, string>();
  const complaints: string[] = [];
  const counts = { ...NO_PACKETS };
  const repeated = new RepeatedPackets();
  let repeatedPackets = 0;
  let first: DissectedPacket | null = null;
  let beginMs: number | null = null;
  const complain = (complaint: string) => void complaints.push(complaint);
  for await (const packet of dissect(file, { ...options, complain })) {
    first ??= packet;
    const sinceFirstMs = (packet.s - first.s) * 1000 + (packet.ns - first.ns) / 1e6;
    if (repeated.take(packet, sinceFirstMs)) {
      repeatedPackets += 1;
      continue;
    }
    if (packet.capturedBytes < packet.bytes) counts.cutPackets += 1;
    const key = keyOf(packet, quicOf);
    const reader = key === null ? null : (readers.get(key) ?? readerOf(packet, sinceFirstMs));
    if (key !== null && reader !== null) readers.set(key, reader);
    if (isEarlier(packet)) {
      counts.earlierPackets += 1;
      reader?.take(packet, sinceFirstMs);
      continue;
    }
    beginMs ??= sinceFirstMs;
    counts.packets += 1;
    counts.bytes += packet.bytes;
    const atMs = sinceFirstMs - beginMs;
    if (key === null || reader === null) {
      counts.otherPackets += 1;
      await each({ packet, atMs, connection: null, direction: null, againBytes: 0 });
      continue;
    }
    const connection = order.get(key) ?? order.size;
    order.set(key, connection);
    await each({ packet, atMs, connection, ...reader.take(packet, sinceFirstMs) });
  }
  const connections = [...order.keys()].flatMap((key) => readers.get(key)?.figures() ?? []);
  for (const connection of connections) connection.beganMs -= beginMs ?? 0;
  return { ...counts, ...(repeatedPackets > 0 && { repeatedPackets }), connections, complaints };
}

/** Values for a capture without packets. */
export const NO_PACKETS = {
  packets: 0,
  bytes: 0,
  earlierPackets: 0,
  cutPackets: 0,
  otherPackets: 0,
};

/** Key of the packet's connection; null: no connection. */
function keyOf(
  { ip, tcp, udp, quic }: DissectedPacket,
  quicOf: Map<number, string>,
): string | null {
  if (!ip || ip.fragment) return null;
  if (tcp) return `tcp ${tcp.stream}`;
  if (!udp) return null;
  // A connection of QUIC may change its ports.
  if (quic && udp.connection !== undefined) {
    const key = `quic ${udp.connection}`;
    quicOf.set(udp.stream, key);
    return key;
  }
  // A stateless reset has no connection id (RFC 9000, section 10.3): it belongs to the connection of the same ends.
  return (quic && quicOf.get(udp.stream)) ?? `udp ${udp.stream}`;
}

function readerOf(packet: DissectedPacket, atMs: number): ConnectionReader {
  const ends = endsOf(packet);
  if (packet.tcp) return new TcpReader(ends, atMs);
  return packet.quic ? new QuicReader(ends, atMs) : new UdpReader(ends, atMs);
}

/** The client: sender of the first packet, unless that is an answer or comes from a server port. */
function endsOf(packet: DissectedPacket): Ends {
  const [sender, receiver] = [senderOf(packet), receiverOf(packet)];
  const { tcp, udp } = packet;
  const { from = 0, to = 0 } = tcp ?? udp ?? {};
  const isSyn = tcp !== undefined && (tcp.flags & TCP_FLAG.syn) !== 0;
  const isServers = isSyn
    ? (tcp.flags & TCP_FLAG.ack) !== 0
    : from < WELL_KNOWN && to >= WELL_KNOWN;
  return isServers ? { client: receiver, server: sender } : { client: sender, server: receiver };
}

/** Ports below belong to servers. */
const WELL_KNOWN = 1024;

/** Reads datagrams not recognised as QUIC. */
class UdpReader extends ConnectionReader {
  readonly transport = 'udp';

  protected read(packet: DissectedPacket, direction: Direction): number {
    this.enterHeaders(packet, direction);
    this.counts.add(direction, 'unread', packet.udp?.bytes ?? 0);
    return 0;
  }
}

/** Copies of a packet appear within this time of the first: a capture of both ends includes the path delay. */
const LONGEST_MS = 1000;
/** Copies come within microseconds; retransmissions take longer, except within one machine. */
const LONGEST_UNNAMED_MS = 1;
/** Limits the memory; 200 Mbit/s have this many packets per second. */
const MAX_REMEMBERED = 20_000;

/**
 * Finds packets that a capture has twice, because they passed several interfaces (`tcpdump -i any`) or both ends (mergecap).
 * Retransmissions differ: by packet number in QUIC, identification in IPv4, timestamp in TCP, and all come a round trip later.
 */
export class RepeatedPackets {
  /** Capture times by identifying key, oldest first. */
  readonly #seen = new Map<string, number>();

  /** Whether a packet is a copy; remembers the packet. */
  take(packet: DissectedPacket, atMs: number): boolean {
    const known = copyKey(packet);
    if (known === null) return false;
    const { key, longestMs = LONGEST_MS } = known;
    const seenMs = this.#seen.get(key);
    this.#seen.delete(key);
    this.#seen.set(key, atMs);
    for (const [oldest] of this.#seen) {
      if (this.#seen.size <= MAX_REMEMBERED) break;
      this.#seen.delete(oldest);
    }
    return seenMs !== undefined && Math.abs(atMs - seenMs) <= longestMs;
  }
}

/** Identifying key; null: not known to be unique. */
function copyKey(packet: DissectedPacket): { key: string; longestMs?: number } | null {
  const { ip, tcp, udp, quic = [] } = packet;
  if (!ip || ip.fragment) return null;
  const ends = `${senderOf(packet)} ${receiverOf(packet)}`;
  if (udp) {
    const numbers = quic.map((each) => each.number ?? null);
    if (quic.length > 0 && !numbers.includes(null)) {
      // Another version restarts the numbers.
      const named = quic.map((each) => `${spaceOf(each)} ${each.version} ${each.number}`);
      return { key: `quic ${udp.connection} ${ends} ${named}` };
    }
    return ip.id ? { key: `udp ${ends} ${ip.id} ${udp.bytes}` } : null;
  }
  if (!tcp) return null;
  const { sequence, acknowledged, flags, bytes, sentAt, echoes, windowBytes, sacks = [] } = tcp;
  const segment = `tcp ${ends} ${sequence} ${acknowledged} ${flags} ${bytes}`;
  if (ip.id) return { key: `${segment} id ${ip.id}` };
  const key = `${segment} ${windowBytes} ${sacks} at ${sentAt} ${echoes}`;
  if (sentAt !== undefined) return { key };
  // Pure acknowledgements without timestamps may be identical.
  return bytes === 0 ? null : { key, longestMs: LONGEST_UNNAMED_MS };
}
