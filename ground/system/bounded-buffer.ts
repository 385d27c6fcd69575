import { UsageError } from './exit-status.ts';

/** Data exceeds its limit; callers that know the origin add the remedy. */
export class TooLargeError extends UsageError {
  override name = 'TooLargeError';

  constructor(what: string, maxBytes: number) {
    super(`${what} has more than ${bytesText(maxBytes)}`);
  }
}

/** Text such as `64 MB`. */
export function bytesText(bytes: number): string {
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ['bytes', 1];
  return `${(bytes / size).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
}

const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const;

/** Collects bytes up to a limit. Uses at most twice their size, for pieces of any size. */
export class BoundedBuffer {
  readonly maxBytes: number;
  readonly #what: string;
  #held: Buffer = Buffer.alloc(0);
  #length = 0;

  /** @param what name in messages: `the body of a response` */
  constructor(maxBytes: number, what: string) {
    this.maxBytes = maxBytes;
    this.#what = what;
  }

  get length(): number {
    return this.#length;
  }

  /** @throws TooLargeError when the piece does not fit */
  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.maxBytes) throw new TooLargeError(this.#what, this.maxBytes);
    if (length > this.#held.length) {
      const grown = Buffer.allocUnsafe(Math.max(length, 2 * this.#held.length));
      this.#held.copy(grown, 0, 0, this.#length);
      this.#held = grown;
    }
    this.#held.set(piece, this.#length);
    this.#length = length;
  }

  /** Returns the collected bytes and empties the buffer. */
  take(): Buffer {
    const taken = this.#held.subarray(0, this.#length);
    this.#held = Buffer.alloc(0);
    this.#length = 0;
    return taken;
  }
}
