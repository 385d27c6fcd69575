/** Pieces of a stream that may come twice, in parts or out of order. */
export class Stream {
  readonly #pieces: { offset: number; bytes: Buffer }[] = [];

  add(offset: number, bytes: Buffer): void {
    if (bytes.length > 0) this.#pieces.push({ offset, bytes });
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
