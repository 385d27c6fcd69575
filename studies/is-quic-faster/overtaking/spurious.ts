import { fateOf, type PacketRange } from '../../../network/handshakes/acknowledged.ts';
import { ackedRanges } from '../../../packets/connections/acknowledgement.ts';
import { type CapturedPacket, readCapture } from '../../../packets/connections/capture-reader.ts';
import { isAck, isLost, isStream, type QuicPacket } from '../../../packets/dissection/packet.ts';

/** What a server sent again. */
interface SentAgain {
  /** Packets with numbers of 1-RTT, and those of them that the path lost. */
  packets: number;
  lost: number;
  /**
   * For each packet whose data was sent again although it arrived: how much higher the highest acknowledged number was, when
   * the server may have known it; 0: no higher one.
   */
  distances: number[];
}

interface Sent {
  number: number;
  atMs: number;
  isLost: boolean;
  data: { stream: number; from: number; to: number }[];
}

interface Acknowledged {
  atMs: number;
  /** Largest first. */
  ranges: readonly PacketRange[];
}

interface Connection {
  sent: Sent[];
  acks: Acknowledged[];
}

/**
 * Finds what the servers in a capture sent again although it had arrived, connection by connection.
 * @param leastLoopMs the least time from an acknowledgement at the capture's place to a packet that it caused
 * @throws what readCapture() throws
 */
export async function spuriousIn(file: string, leastLoopMs: number): Promise<SentAgain[]> {
  const connections = new Map<number, Connection>();
  await readCapture(file, {}, (captured) => {
    if (captured.connection === null) return;
    const { sent, acks } = connections.get(captured.connection) ?? { sent: [], acks: [] };
    connections.set(captured.connection, { sent, acks });
    for (const quic of captured.packet.quic ?? []) {
      if (quic.long === 1 || quic.number === undefined) continue;
      if (captured.direction === 'toClient') sent.push(sentIn(quic, captured));
      else if (!isLost(captured.packet)) acks.push(...acknowledgedIn(quic, captured));
    }
  });
  return [...connections.values()].map((each) => ({
    packets: each.sent.length,
    lost: each.sent.filter(({ isLost }) => isLost).length,
    distances: spuriousOf(each, leastLoopMs),
  }));
}

function sentIn({ number = 0, frames = [] }: QuicPacket, { atMs, packet }: CapturedPacket): Sent {
  const data = frames.filter(isStream).map(({ stream = 0, offset = 0, dataBytes = 0 }) => ({
    stream,
    from: offset,
    to: offset + dataBytes,
  }));
  return { number, atMs, isLost: isLost(packet), data };
}

function acknowledgedIn({ frames = [] }: QuicPacket, { atMs }: CapturedPacket): Acknowledged[] {
  return frames.filter(isAck).map((frame) => ({ atMs, ranges: ackedRanges(frame) }));
}

function spuriousOf({ sent, acks }: Connection, leastLoopMs: number): number[] {
  const first = new Map<number, { packet: Sent; from: number; to: number }[]>();
  const distances = new Map<number, number>();
  for (const packet of sent.toSorted((a, b) => a.number - b.number)) {
    for (const { stream, from, to } of packet.data) {
      const earlier = first.get(stream) ?? [];
      first.set(stream, earlier);
      const again = earlier.filter((each) => each.from < to && from < each.to);
      for (const { packet: original } of again) {
        if (original.isLost || distances.has(original.number)) continue;
        // May count an acknowledgement that came too late to be the cause; never omits one that came in time.
        const known = acks.filter(({ atMs }) => atMs <= packet.atMs - leastLoopMs);
        distances.set(original.number, distanceOf(original.number, known));
      }
      if (again.length === 0) earlier.push({ packet, from, to });
    }
  }
  return [...distances.values()];
}

/** How much higher than an unacknowledged number the acknowledged ones are, at most; 0: no higher one. */
function distanceOf(number: number, known: readonly Acknowledged[]): number {
  const without = known.filter(({ ranges }) => fateOf(number, ranges) !== 'acknowledged');
  return Math.max(0, ...without.map(({ ranges }) => (ranges[0]?.[1] ?? -1) - number));
}
