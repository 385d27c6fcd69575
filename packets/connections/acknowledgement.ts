import type { QuicFrame, QuicPacket } from '../dissection/packet.ts';

/** Spaces of packet numbers (RFC 9000, section 12.3). */
export type Space = 'initial' | 'handshake' | 'application';

/** In which space a packet has its number. */
export function spaceOf({ long, longType }: Pick<QuicPacket, 'long' | 'longType'>): Space {
  if (long !== 1 || longType === 1) return 'application';
  return longType === 0 ? 'initial' : 'handshake';
}

/** First and last number of a range of packets, both included. */
export type PacketRange = [first: number, last: number];

/** What an ACK acknowledges, from the largest numbers down (RFC 9000, section 19.3.1). */
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
 * How long an ACK says that its sender waited with it, in ms; in the handshake it does not say (RFC 9002, section 5.3).
 * @param exponent of the side that sent it
 */
export function ackDelayMs({ delay = 0 }: QuicFrame, space: Space, exponent: number): number {
  return space === 'application' ? (delay * 2 ** exponent) / 1000 : 0;
}

/** Beyond it there is nobody who acknowledges: a capture may have one direction only. */
const MAX_WAITING = 10_000;

/** What was sent and is not acknowledged yet, by a number that ascends: that of a packet, or of a segment's end. */
export class Unacknowledged {
  /** In ms; null: nobody can tell when. */
  readonly #sentMs = new Map<number, number | null>();

  /** @param sentMs null: a part of it was sent before */
  send(number: number, sentMs: number | null): void {
    // Of what was sent twice nobody knows which was acknowledged (Karn and Partridge 1987).
    this.#sentMs.set(number, this.#sentMs.has(number) ? null : sentMs);
    if (this.#sentMs.size <= MAX_WAITING) return;
    for (const oldest of this.#sentMs.keys()) {
      this.#sentMs.delete(oldest);
      return;
    }
  }

  /** Forgets everything up to a number, and gives when that very one was sent; null: unknown. */
  acknowledge(upTo: number): number | null {
    const sentMs = this.#sentMs.get(upTo) ?? null;
    for (const number of this.#sentMs.keys()) {
      if (number > upTo) break;
      this.#sentMs.delete(number);
    }
    return sentMs;
  }
}
