/** Packet numbers, both inclusive. */
export type PacketRange = [first: number, last: number];

/** A packet counts as lost once a packet this much later is acknowledged (RFC 9002, section 6.1.1). */
const REORDERED_PACKETS = 3;

/**
 * What an ACK says about a sent packet; null: it is still in flight.
 * @param ranges largest first
 */
export function fateOf(
  number: number,
  ranges: readonly PacketRange[],
): 'acknowledged' | 'lost' | null {
  const largest = ranges[0]?.[1] ?? -1;
  if (number > largest) return null;
  if (ranges.some(([first, last]) => number >= first && number <= last)) return 'acknowledged';
  return number <= largest - REORDERED_PACKETS ? 'lost' : null;
}
