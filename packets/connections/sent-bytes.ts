/** Sent ranges of a stream, to detect retransmissions. */
export class SentBytes {
  /** Start and end of each contiguous range, ascending; nearly always one. */
  readonly #parts: [begin: number, end: number][] = [];

  /** Adds a range, and returns its number of new bytes. */
  add(begin: number, length: number): number {
    const end = begin + length;
    if (length <= 0) return 0;
    const last = this.#parts.at(-1);
    if (last && begin === last[1]) {
      last[1] = end;
      return length;
    }
    let [from, to, known] = [begin, end, 0];
    const first = this.#parts.findIndex((part) => part[1] >= begin);
    const at = first < 0 ? this.#parts.length : first;
    let count = 0;
    for (const part of this.#parts.slice(at)) {
      if (part[0] > end) break;
      known += Math.max(0, Math.min(end, part[1]) - Math.max(begin, part[0]));
      from = Math.min(from, part[0]);
      to = Math.max(to, part[1]);
      count++;
    }
    this.#parts.splice(at, count, [from, to]);
    return length - known;
  }

  before(place: number): number {
    return this.#parts.reduce(
      (sum, [begin, end]) => sum + Math.max(0, Math.min(end, place) - begin),
      0,
    );
  }

  /** End of the last range. */
  get end(): number {
    return this.#parts.at(-1)?.[1] ?? 0;
  }
}

/** A stream with packets that may be lost and retransmitted. */
export class SentStream {
  readonly #sent = new SentBytes();
  readonly #arrived = new SentBytes();

  /** Adds a range, and returns its number of new bytes. */
  send(begin: number, length: number, isLost: boolean): number {
    if (!isLost) this.#arrived.add(begin, length);
    return this.#sent.add(begin, length);
  }

  /** End of the last range. */
  get end(): number {
    return this.#sent.end;
  }

  /** Whether all bytes sent before an offset arrived; if not, later ones cannot be read. */
  hasArrived(place: number): boolean {
    return this.#arrived.before(place) === this.#sent.before(place);
  }
}
