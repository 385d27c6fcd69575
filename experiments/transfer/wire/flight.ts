import { fateOf, type PacketRange } from '../../../network/handshakes/acknowledged.ts';

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
    for (const number of this.#waiting.keys()) {
      const fate = fateOf(number, ranges);
      if (fate === null) continue;
      if (fate === 'lost') this.lostPackets++;
      this.bytes -= this.#waiting.get(number) ?? 0;
      this.#waiting.delete(number);
    }
  }
}
