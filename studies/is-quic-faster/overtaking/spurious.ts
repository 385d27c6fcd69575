import { type CapturedPacket, readCapture } from '../../../packets/connections/capture-reader.ts';
import { wantsAcknowledgement } from '../../../packets/connections/quic-reader.ts';
import { isAck, isLost, isStream, type QuicPacket } from '../../../packets/dissection/packet.ts';

/** lsquic considers a packet lost by number if one more than this many later is acknowledged. */
const LSQUIC_THRESHOLD_PACKETS = 3;

/** Counts of the data that a server sent again. */
interface SentAgain {
  connection: number;
  /** Packets with numbers of 1-RTT, and those of them that the path lost. */
  packets: number;
  lost: number;
  /** Packets whose data was sent again although they arrived, by what may have caused it. */
  spurious: Record<SpuriousCause, number>;
}

/**
 * - `number`: a packet at least four later was acknowledged, which every rule of numbers calls a loss
 * - `last`: no such packet, but the last one that was sent
 * - `later`: another later packet was acknowledged, at most three later
 * - `timer`: no later packet was acknowledged
 */
export type SpuriousCause = 'number' | 'last' | 'later' | 'timer';

interface Sent {
  number: number;
  atMs: number;
  isLost: boolean;
  elicits: boolean;
  data: { stream: number; from: number; to: number }[];
}

interface Acknowledged {
  atMs: number;
  largest: number;
  ranges: readonly [from: number, to: number][];
}

interface Connection {
  sent: Sent[];
  acks: Acknowledged[];
}

/**
 * Finds what the servers in a capture sent again although it had arrived, and why they may have done so.
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
  return [...connections].map(([connection, each]) => ({
    connection,
    packets: each.sent.length,
    lost: each.sent.filter(({ isLost }) => isLost).length,
    spurious: spuriousOf(each, leastLoopMs),
  }));
}

function sentIn({ number = 0, frames = [] }: QuicPacket, { atMs, packet }: CapturedPacket): Sent {
  return {
    number,
    atMs,
    isLost: isLost(packet),
    elicits: frames.some(wantsAcknowledgement),
    data: frames.filter(isStream).map(({ stream = 0, offset = 0, dataBytes = 0 }) => ({
      stream,
      from: offset,
      to: offset + dataBytes,
    })),
  };
}

function acknowledgedIn({ frames = [] }: QuicPacket, { atMs }: CapturedPacket): Acknowledged[] {
  return frames.filter(isAck).map(({ largest = 0, ranges = [] }) => ({
    atMs,
    largest,
    ranges: rangesOf(largest, ranges),
  }));
}

/** RFC 9000, section 19.3.1: the first range, then gaps and ranges, downwards. */
function rangesOf(largest: number, lengths: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  let to = largest;
  for (let index = 0; index < lengths.length; index += 2) {
    const from = to - (lengths[index] ?? 0);
    ranges.push([from, to]);
    to = from - (lengths[index + 1] ?? 0) - 2;
  }
  return ranges;
}

function spuriousOf({ sent, acks }: Connection, leastLoopMs: number): SentAgain['spurious'] {
  const counts = { number: 0, last: 0, later: 0, timer: 0 };
  const first = new Map<number, { packet: Sent; from: number; to: number }[]>();
  const found = new Set<number>();
  let lastEliciting = -1;
  for (const packet of [...sent].sort((a, b) => a.number - b.number)) {
    for (const { stream, from, to } of packet.data) {
      const earlier = first.get(stream) ?? [];
      first.set(stream, earlier);
      const again = earlier.filter((each) => each.from < to && from < each.to);
      for (const { packet: original } of again) {
        if (original.isLost || found.has(original.number)) continue;
        found.add(original.number);
        // An acknowledgement may be counted that came too late to be the cause, never the reverse.
        const known = acks.filter(
          ({ atMs, largest, ranges }) =>
            atMs <= packet.atMs - leastLoopMs &&
            largest > original.number &&
            !ranges.some(([low, high]) => low <= original.number && original.number <= high),
        );
        counts[causeOf(known, original.number, lastEliciting)]++;
      }
      if (again.length === 0) earlier.push({ packet, from, to });
    }
    if (packet.elicits) lastEliciting = packet.number;
  }
  return counts;
}

function causeOf(
  known: readonly Acknowledged[],
  original: number,
  lastEliciting: number,
): SpuriousCause {
  if (known.length === 0) return 'timer';
  const distance = Math.max(...known.map(({ largest }) => largest)) - original;
  if (distance > LSQUIC_THRESHOLD_PACKETS) return 'number';
  return known.some(({ largest }) => largest >= lastEliciting) ? 'last' : 'later';
}
