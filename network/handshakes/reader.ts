/** Reads bytes from front to back; a RangeError when there are too few. */
export class Reader {
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.at;
  }

  /** A whole number of 1 to 6 bytes. */
  number(bytes: number): number {
    const value = this.#bytes.readUIntBE(this.at, bytes);
    this.at += bytes;
    return value;
  }

  /** A whole number of QUIC, whose first two bits tell its length (RFC 9000, section 16). */
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

  /** Bytes behind a number of so many bytes that tells how many they are. */
  list(lengthBytes: number): Buffer {
    return this.bytes(this.number(lengthBytes));
  }
}

/** What a function makes of bytes; null when they end too early for it. */
export function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

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
