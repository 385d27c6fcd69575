/** Beyond it there is nobody who acknowledges: a capture may have one direction only. */
const MOST_WAITING = 10_000;

/** What was sent and is not acknowledged yet, by a number that ascends: that of a packet, or of a segment's end. */
export class Unacknowledged {
  /** In ms; null: nobody can tell when. */
  readonly #sentMs = new Map<number, number | null>();

  /** @param sentMs null: a part of it was sent before */
  send(number: number, sentMs: number | null): void {
    // Of what was sent twice nobody knows which was acknowledged (Karn and Partridge 1987).
    this.#sentMs.set(number, this.#sentMs.has(number) ? null : sentMs);
    if (this.#sentMs.size <= MOST_WAITING) return;
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
