/** Pieces of a stream that may come twice, in parts or out of order. */
export class Stream {
  readonly #pieces: { offset: number; bytes: Buffer }[] = [];
  #firstNs: bigint | null = null;

  /** @param timeNs when the piece came */
  add(offset: number, bytes: Buffer, timeNs: bigint): void {
    if (bytes.length === 0) return;
    this.#pieces.push({ offset, bytes });
    if (this.#firstNs === null || timeNs < this.#firstNs) this.#firstNs = timeNs;
  }

  /** When its first piece came; null: none did. */
  get firstNs(): bigint | null {
    return this.#firstNs;
  }

  get begun(): boolean {
    return this.#pieces.length > 0;
  }

  /** The stream's beginning, up to the first gap. */
  beginning(): Buffer {
    const parts: Buffer[] = [];
    let length = 0;
    for (const { offset, bytes } of this.#pieces.toSorted((a, b) => a.offset - b.offset)) {
      if (offset > length) break;
      const part = bytes.subarray(length - offset);
      parts.push(part);
      length += part.length;
    }
    return Buffer.concat(parts);
  }
}
