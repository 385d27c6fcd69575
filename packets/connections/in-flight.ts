import { fateOf, type PacketRange } from '../../network/handshakes/acknowledged.ts';
import type { Space } from './acknowledgement.ts';

/** Weights of a new sample in the estimates (RFC 9002, section 5.3). */
const WEIGHT = { smoothed: 1 / 8, variance: 1 / 4 };

/** A sender's round-trip times, estimated as in RFC 9002, section 5. */
interface RoundTripEstimate {
  latestMs: number;
  minMs: number;
  smoothedMs: number;
  varianceMs: number;
}

/**
 * Bytes in flight and round-trip times of a QUIC sender, estimated from its packets and the acknowledgements that reach it. The
 * sender's timers are unknown: after a probe timeout packets stay in flight until they are acknowledged or overtaken.
 */
export class InFlight {
  bytes = 0;
  packets = 0;
  /** null: no acknowledgement yet. */
  roundTrip: RoundTripEstimate | null = null;
  readonly #waiting: Record<Space, Map<number, { bytes: number; atMs: number }>> = {
    initial: new Map(),
    handshake: new Map(),
    application: new Map(),
  };

  send(space: Space, number: number, packet: { bytes: number; atMs: number }): void {
    this.#waiting[space].set(number, packet);
    this.bytes += packet.bytes;
    this.packets += 1;
  }

  /**
   * Adds an acknowledgement as it reaches the sender.
   * @param waitedMs reported acknowledgement delay
   * @returns whether it acknowledged a packet for the first time
   */
  acknowledge(
    space: Space,
    ranges: readonly PacketRange[],
    atMs: number,
    waitedMs: number,
  ): boolean {
    const waiting = this.#waiting[space];
    const latest = waiting.get(ranges[0]?.[1] ?? -1);
    const before = this.packets;
    for (const number of waiting.keys()) {
      if (fateOf(number, ranges)) this.#leave(space, number);
    }
    if (latest) this.#measure(atMs - latest.atMs, waitedMs);
    return this.packets < before;
  }

  /** Forgets a space after its keys are discarded, which ends its acknowledgements. */
  discard(space: Space): void {
    for (const number of this.#waiting[space].keys()) this.#leave(space, number);
  }

  #leave(space: Space, number: number): void {
    this.bytes -= this.#waiting[space].get(number)?.bytes ?? 0;
    this.packets -= 1;
    this.#waiting[space].delete(number);
  }

  #measure(latestMs: number, waitedMs: number): void {
    const before = this.roundTrip;
    if (before === null) {
      this.roundTrip = {
        latestMs,
        minMs: latestMs,
        smoothedMs: latestMs,
        varianceMs: latestMs / 2,
      };
      return;
    }
    const minMs = Math.min(before.minMs, latestMs);
    const withoutMs = latestMs >= minMs + waitedMs ? latestMs - waitedMs : latestMs;
    const offMs = Math.abs(before.smoothedMs - withoutMs);
    this.roundTrip = {
      latestMs,
      minMs,
      smoothedMs: (1 - WEIGHT.smoothed) * before.smoothedMs + WEIGHT.smoothed * withoutMs,
      varianceMs: (1 - WEIGHT.variance) * before.varianceMs + WEIGHT.variance * offMs,
    };
  }
}
