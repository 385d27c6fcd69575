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
export function waitedMs({ delay = 0 }: QuicFrame, space: Space, exponent: number): number {
  return space === 'application' ? (delay * 2 ** exponent) / 1000 : 0;
}
