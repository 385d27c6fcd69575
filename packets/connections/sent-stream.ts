import { SentBytes } from './sent-bytes.ts';

/** A stream of which packets may be lost, whose bytes come again. */
export class SentStream {
  readonly #sent = new SentBytes();
  readonly #arrived = new SentBytes();

  /** Takes bytes that were sent, and gives how many of them had not been sent before. */
  send(begin: number, length: number, isLost: boolean): number {
    if (!isLost) this.#arrived.add(begin, length);
    return this.#sent.add(begin, length);
  }

  /** Behind the last byte that was sent. */
  get end(): number {
    return this.#sent.end;
  }

  /** Whether everything that was sent before a place is there, without which what follows cannot be read. */
  hasArrived(place: number): boolean {
    return this.#arrived.before(place) === this.#sent.before(place);
  }
}
