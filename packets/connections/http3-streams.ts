import { type Http3Frame, Http3Stream } from './http3-stream.ts';

/** What all streams of one side may hold until what comes before it has arrived; a capture may have missed packets. */
const MOST_HELD_BYTES = 1 << 20;

/** The streams of requests as one side sends them. */
export class Http3Streams {
  readonly #streams = new Map<number, Http3Stream>();
  readonly #begin: (stream: number, frame: Http3Frame) => void;
  #heldBytes = 0;

  /** @param begin is called with each frame when its head is whole */
  constructor(begin: (stream: number, frame: Http3Frame) => void = () => {}) {
    this.#begin = begin;
  }

  of(stream: number): Http3Stream {
    const found =
      this.#streams.get(stream) ?? new Http3Stream((frame) => this.#begin(stream, frame));
    this.#streams.set(stream, found);
    return found;
  }

  /** Takes bytes of a stream; gives how many bytes of bodies are known by them, also of a stream that is waited for no longer. */
  take(stream: number, offset: number, bytes: Buffer): number {
    const http = this.of(stream);
    const before = http.heldBytes;
    const bodyBytes = http.take(offset, bytes);
    this.#heldBytes += http.heldBytes - before;
    return this.#heldBytes > MOST_HELD_BYTES ? bodyBytes + this.giveUp() : bodyBytes;
  }

  /** Waits for nothing that is missing any more; gives how many bytes of bodies that makes known. */
  giveUp(): number {
    this.#heldBytes = 0;
    return [...this.#streams.values()].reduce(
      (sum, http) => sum + (http.heldBytes > 0 ? http.giveUp() : 0),
      0,
    );
  }
}
