import { HTTP_FRAME } from '../dissection/packet.ts';
import { SentBytes } from './sent-bytes.ts';

/** Type and length, at most 8 bytes each. */
const LONGEST_HEAD_BYTES = 16;

export interface Http3Frame {
  type: number;
  contentBytes: number;
  headBytes: number;
}

/**
 * Frame boundaries in one direction of a request's stream (RFC 9114, section 7.1). tshark 4.0 misreads frame headers if a frame spans
 * packets, or after losses.
 */
export class Http3Stream {
  /** HEADERS frames so far. */
  heads = 0;
  readonly #begin: (frame: Http3Frame) => void;
  /** Bytes that wait for earlier ones. */
  heldBytes = 0;
  /** Offset up to which the stream was read. */
  #at = 0;
  #head = Buffer.alloc(0);
  #leftBytes = 0;
  #isBody = false;
  readonly #held = new Map<number, Buffer>();
  /** All received ranges once frame boundaries are lost; null: boundaries are known. */
  #seen: SentBytes | null = null;

  /** @param begin is called with each frame once its header is complete */
  constructor(begin: (frame: Http3Frame) => void = () => {}) {
    this.#begin = begin;
  }

  /** Adds bytes of the stream, in any order and repeatedly; returns the number of additional body bytes. */
  take(offset: number, bytes: Buffer): number {
    if (this.#seen) return this.#seen.add(offset, bytes.length);
    if (offset > this.#at) {
      this.#hold(offset, bytes);
      return 0;
    }
    let bodyBytes = this.#read(bytes.subarray(this.#at - offset));
    for (let next = this.#takeHeld(); next; next = this.#takeHeld()) bodyBytes += this.#read(next);
    return bodyBytes;
  }

  /** Stops waiting for missing bytes, and counts all held and later bytes as body, which they nearly always are. */
  giveUp(): number {
    const seen = new SentBytes();
    seen.add(0, this.#at);
    const bodyBytes = [...this.#held].reduce(
      (sum, [offset, { length }]) => sum + seen.add(offset, length),
      0,
    );
    this.#seen = seen;
    this.#held.clear();
    this.heldBytes = 0;
    return bodyBytes;
  }

  #hold(offset: number, bytes: Buffer): void {
    const before = this.#held.get(offset)?.length ?? 0;
    if (before >= bytes.length) return;
    this.#held.set(offset, bytes);
    this.heldBytes += bytes.length - before;
  }

  #takeHeld(): Buffer | null {
    for (const [offset, bytes] of this.#held) {
      if (offset > this.#at) continue;
      this.#held.delete(offset);
      this.heldBytes -= bytes.length;
      if (offset + bytes.length > this.#at) return bytes.subarray(this.#at - offset);
    }
    return null;
  }

  #read(bytes: Buffer): number {
    let bodyBytes = 0;
    this.#at += bytes.length;
    for (let rest = bytes; rest.length > 0; ) {
      if (this.#leftBytes > 0) {
        const taken = Math.min(this.#leftBytes, rest.length);
        if (this.#isBody) bodyBytes += taken;
        this.#leftBytes -= taken;
        rest = rest.subarray(taken);
        continue;
      }
      const begun = this.#head.length;
      const head = Buffer.concat([this.#head, rest.subarray(0, LONGEST_HEAD_BYTES - begun)]);
      const frame = readHead(head);
      if (frame === null) {
        this.#head = head;
        return bodyBytes;
      }
      this.#head = Buffer.alloc(0);
      this.#leftBytes = frame.contentBytes;
      this.#isBody = frame.type === HTTP_FRAME.data;
      if (frame.type === HTTP_FRAME.headers) this.heads += 1;
      this.#begin(frame);
      rest = rest.subarray(frame.headBytes - begun);
    }
    return bodyBytes;
  }
}

/** Type and length of a frame; null: incomplete. */
function readHead(bytes: Buffer): Http3Frame | null {
  const type = readVarint(bytes, 0);
  const length = type && readVarint(bytes, type.end);
  return length && { type: type.value, contentBytes: length.value, headBytes: length.end };
}

/** Variable-length integer (RFC 9000, section 16). */
function readVarint(bytes: Buffer, at: number): { value: number; end: number } | null {
  const first = bytes[at];
  if (first === undefined) return null;
  const end = at + 2 ** (first >> 6);
  if (end > bytes.length) return null;
  const whole = bytes.subarray(at, end).toString('hex');
  return { value: Number(BigInt(`0x${whole}`) & (2n ** BigInt((end - at) * 8 - 2) - 1n)), end };
}

/** Limit for bytes of a side's streams that wait for earlier ones; a capture may miss packets. */
const MAX_HELD_BYTES = 1 << 20;

export class Http3Streams {
  readonly #streams = new Map<number, Http3Stream>();
  readonly #begin: (stream: number, frame: Http3Frame) => void;
  #heldBytes = 0;

  /** @param begin is called with each frame once its header is complete */
  constructor(begin: (stream: number, frame: Http3Frame) => void = () => {}) {
    this.#begin = begin;
  }

  of(stream: number): Http3Stream {
    const found =
      this.#streams.get(stream) ?? new Http3Stream((frame) => this.#begin(stream, frame));
    this.#streams.set(stream, found);
    return found;
  }

  /** Adds bytes of a stream; returns the number of additional body bytes, including those of streams that stop waiting. */
  take(stream: number, offset: number, bytes: Buffer): number {
    const http = this.of(stream);
    const before = http.heldBytes;
    const bodyBytes = http.take(offset, bytes);
    this.#heldBytes += http.heldBytes - before;
    return this.#heldBytes > MAX_HELD_BYTES ? bodyBytes + this.giveUp() : bodyBytes;
  }

  /** Stops waiting for missing bytes; returns the number of additional body bytes. */
  giveUp(): number {
    this.#heldBytes = 0;
    return [...this.#streams.values()].reduce(
      (sum, http) => sum + (http.heldBytes > 0 ? http.giveUp() : 0),
      0,
    );
  }
}
