import type { DissectedPacket } from '../dissection/packet.ts';
import { spaceOf } from './acknowledgement.ts';
import { receiverOf, senderOf } from './connection-reader.ts';

/** A packet comes again this long after the first at most: a capture of both ends has the time on the way between. */
const LONGEST_MS = 1000;
/** Nothing is sent again so soon but within a machine, and copies come within microseconds. */
const LONGEST_UNNAMED_MS = 1;
/** More would take too much memory; so many packets pass in a second at 200 Mbit/s. */
const MOST_REMEMBERED = 20_000;

/**
 * Finds packets that a capture has twice, as it passed several interfaces (`tcpdump -i any`) or both ends (mergecap). What is sent again is
 * another packet: QUIC gives it another number, IPv4 another identification, TCP another timestamp, and all come a round trip later.
 */
export class RepeatedPackets {
  /** When packets were seen, by what is their own; the oldest first. */
  readonly #seen = new Map<string, number>();

  /** Whether a packet was seen before; it is remembered. */
  take(packet: DissectedPacket, atMs: number): boolean {
    const known = keyOf(packet);
    if (known === null) return false;
    const { key, longestMs = LONGEST_MS } = known;
    const seenMs = this.#seen.get(key);
    this.#seen.delete(key);
    this.#seen.set(key, atMs);
    for (const [oldest] of this.#seen) {
      if (this.#seen.size <= MOST_REMEMBERED) break;
      this.#seen.delete(oldest);
    }
    return seenMs !== undefined && Math.abs(atMs - seenMs) <= longestMs;
  }
}

/** What no other packet has; null: nothing is known that is its own alone. */
function keyOf(packet: DissectedPacket): { key: string; longestMs?: number } | null {
  const { ip, tcp, udp, quic = [] } = packet;
  if (!ip || ip.fragment) return null;
  const ends = `${senderOf(packet)} ${receiverOf(packet)}`;
  if (udp) {
    const numbers = quic.map((each) => each.number ?? null);
    if (quic.length > 0 && !numbers.includes(null)) {
      // Another version begins again with the first number.
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
  // Pure acknowledgements without timestamps may be alike.
  return bytes === 0 ? null : { key, longestMs: LONGEST_UNNAMED_MS };
}
