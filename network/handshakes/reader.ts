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
