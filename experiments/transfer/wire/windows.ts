import type { PacketContents } from './frames.ts';

/** Limits of a sender's data at the start of a connection (RFC 9000, section 18.2). */
export interface InitialLimits {
  connectionBytes: number;
  /** Of each stream with a body. */
  streamBytes: number;
  /** Number of these streams. */
  streams: number;
}

/** Streams of a client's requests and their responses (RFC 9000, section 2.1). */
const REQUESTS = 4;

/** Room that flow control leaves to a sender. */
export class Windows {
  #connectionLimit: number;
  readonly #streamBytes: number;
  readonly #streamLimits = new Map<number, number>();
  readonly #ends = new Map<number, number>();
  readonly #ended = new Set<number>();
  #sentBytes = 0;

  constructor({ connectionBytes, streamBytes }: Omit<InitialLimits, 'streams'>) {
    this.#connectionLimit = connectionBytes;
    this.#streamBytes = streamBytes;
  }

  send({ streams }: PacketContents): void {
    for (const { stream, end, ends } of streams) {
      const before = this.#ends.get(stream) ?? 0;
      this.#sentBytes += Math.max(0, end - before);
      this.#ends.set(stream, Math.max(before, end));
      if (ends) this.#ended.add(stream);
    }
  }

  /** Takes the limits of a packet that reaches the sender. */
  raise({ connectionLimit, streamLimits }: PacketContents): void {
    this.#connectionLimit = Math.max(this.#connectionLimit, connectionLimit ?? 0);
    for (const { stream, limit } of streamLimits) {
      this.#streamLimits.set(stream, Math.max(limit, this.#limitOf(stream)));
    }
  }

  /** The window without room for another packet; null: neither. */
  full(packetBytes: number): 'receive window' | 'stream window' | null {
    const connectionBytes = this.#connectionLimit - this.#sentBytes;
    const streamsBytes = this.#openStreamsBytes();
    // The sender has no more data.
    if (streamsBytes === null || Math.min(connectionBytes, streamsBytes) >= packetBytes)
      return null;
    return connectionBytes <= streamsBytes ? 'receive window' : 'stream window';
  }

  /** Room of all begun streams with bodies together; null: none is unfinished. */
  #openStreamsBytes(): number | null {
    const open = [...this.#ends].filter(
      ([stream]) => stream % REQUESTS === 0 && !this.#ended.has(stream),
    );
    if (open.length === 0) return null;
    return open.reduce((sum, [stream, end]) => sum + this.#limitOf(stream) - end, 0);
  }

  #limitOf(stream: number): number {
    return this.#streamLimits.get(stream) ?? this.#streamBytes;
  }
}
