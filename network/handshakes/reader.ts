/** Reads bytes from front to back. Throws RangeError at the end. */
export class Reader {
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  /** An integer of 1 to 6 bytes. */
  number(bytes: number): number {
    const value = this.#bytes.readUIntBE(this.at, bytes);
    this.at += bytes;
    return value;
  }

  /** A QUIC integer, whose first two bits are its length (RFC 9000, section 16). */
  varint(): number {
    const first = this.number(1);
    let value = first & 0x3f;
    for (let more = (1 << (first >> 6)) - 1; more > 0; more--) {
      value = value * 256 + this.number(1);
    }
    return value;
  }

  bytes(count: number): Buffer {
    if (count < 0 || count > this.left) {
      throw new RangeError(`${this.left} bytes left, ${count} wanted`);
    }
    this.at += count;
    return this.#bytes.subarray(this.at - count, this.at);
  }

  /** Bytes after their length, which is a number of `lengthBytes` bytes. */
  list(lengthBytes: number): Buffer {
    return this.bytes(this.number(lengthBytes));
  }
}

/** The result of a function; null if the bytes end too early. */
export function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

interface Piece {
  offset: number;
  bytes: Buffer;
  /** Arrival of its packet, which identifies that. */
  timeNs: bigint;
}

export class Stream {
  readonly #pieces: Piece[] = [];
  #firstNs: bigint | null = null;

  /** @param timeNs arrival of the piece */
  add(offset: number, bytes: Buffer, timeNs: bigint): void {
    if (bytes.length === 0) return;
    this.#pieces.push({ offset, bytes, timeNs });
    if (this.#firstNs === null || timeNs < this.#firstNs) this.#firstNs = timeNs;
  }

  /** Arrival of the first piece; null: no piece. */
  get firstNs(): bigint | null {
    return this.#firstNs;
  }

  get begun(): boolean {
    return this.#pieces.length > 0;
  }

  /** The stream's beginning, up to the first gap. */
  beginning(): Buffer {
    return Buffer.concat(this.#parts().map(({ bytes }) => bytes));
  }

  /** Number of packets in which the first `count` bytes arrived; repeated packets do not count. */
  packetsOf(count: number): number {
    const parts = this.#parts().filter(({ offset }) => offset < count);
    return new Set(parts.map(({ timeNs }) => timeNs)).size;
  }

  /** Length of the piece at the stream's front; 0: it is missing. */
  get firstPieceBytes(): number {
    return this.#parts()[0]?.bytes.length ?? 0;
  }

  /** New bytes of each piece, in the order of the stream, up to the first gap. */
  #parts(): Piece[] {
    const parts: Piece[] = [];
    let length = 0;
    for (const { offset, bytes, timeNs } of this.#pieces.toSorted((a, b) => a.offset - b.offset)) {
      if (offset > length) break;
      const part = bytes.subarray(length - offset);
      if (part.length > 0) parts.push({ offset: length, bytes: part, timeNs });
      length += part.length;
    }
    return parts;
  }
}
