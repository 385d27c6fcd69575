import type { PacketRange } from '../../network/handshakes/acknowledged.ts';
import type { QuicFrame, QuicPacket } from '../dissection/packet.ts';

/** Packet number spaces (RFC 9000, section 12.3). */
export type Space = 'initial' | 'handshake' | 'application';

export function spaceOf({ long, longType }: Pick<QuicPacket, 'long' | 'longType'>): Space {
  if (long !== 1 || longType === 1) return 'application';
  return longType === 0 ? 'initial' : 'handshake';
}

/** Acknowledged ranges of an ACK, largest first (RFC 9000, section 19.3.1). */
export function ackedRanges({ largest = -1, ranges = [] }: QuicFrame): PacketRange[] {
  const [firstLength = 0, ...rest] = ranges;
  const found: PacketRange[] = [[largest - firstLength, largest]];
  for (let index = 0; index + 1 < rest.length; index += 2) {
    const [gap = 0, length = 0] = rest.slice(index, index + 2);
    const last = (found.at(-1)?.[0] ?? 0) - gap - 2;
    found.push([last - length, last]);
  }
  return found;
}

/**
 * Delay that the sender of an ACK reports, in ms; during the handshake it reports none (RFC 9002, section 5.3).
 * @param exponent of the side that sent it
 */
export function ackDelayMs({ delay = 0 }: QuicFrame, space: Space, exponent: number): number {
  return space === 'application' ? (delay * 2 ** exponent) / 1000 : 0;
}

/** Limit for captures of one direction, which have no acknowledgements. */
const MAX_WAITING = 10_000;

/** Times of unacknowledged packets, by an ascending number: QUIC's packet number, or the end of a TCP segment. */
export class Unacknowledged {
  /** Sending times in ms; null: retransmitted. */
  readonly #sentMs = new Map<number, number | null>();

  /** @param sentMs null: partly retransmitted */
  send(number: number, sentMs: number | null): void {
    // For retransmissions it is ambiguous which copy was acknowledged (Karn and Partridge 1987).
    this.#sentMs.set(number, this.#sentMs.has(number) ? null : sentMs);
    if (this.#sentMs.size <= MAX_WAITING) return;
    for (const oldest of this.#sentMs.keys()) {
      this.#sentMs.delete(oldest);
      return;
    }
  }

  /** Forgets everything up to a number, and returns when that number was sent; null: unknown. */
  acknowledge(upTo: number): number | null {
    const sentMs = this.#sentMs.get(upTo) ?? null;
    for (const number of this.#sentMs.keys()) {
      if (number > upTo) break;
      this.#sentMs.delete(number);
    }
    return sentMs;
  }
}
