import type { PacketRange } from './frames.ts';

/** A packet counts as lost once a packet this much later is acknowledged (RFC 9002, section 6.1.1). */
const REORDERED_PACKETS = 3;

/** Packets of a sender that are neither acknowledged nor lost. */
export class Flight {
  bytes = 0;
  lostPackets = 0;
  readonly #waiting = new Map<number, number>();

  send(number: number, bytes: number): void {
    this.#waiting.set(number, bytes);
    this.bytes += bytes;
  }

  acknowledge(ranges: readonly PacketRange[]): void {
    const largest = ranges[0]?.[1] ?? -1;
    for (const number of this.#waiting.keys()) {
      if (number > largest) break;
      const isAcknowledged = ranges.some(([first, last]) => number >= first && number <= last);
      const isLost = !isAcknowledged && number <= largest - REORDERED_PACKETS;
      if (!isAcknowledged && !isLost) continue;
      if (isLost) this.lostPackets++;
      this.bytes -= this.#waiting.get(number) ?? 0;
      this.#waiting.delete(number);
    }
  }
}
