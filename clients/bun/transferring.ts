import { monotonicMs } from '../../system/monotonic-clock.ts';
import type { AskedTransfer, TransferErrorCode, TransferMade } from '../transferrer.ts';

const STEP_MS = 100;

/** Why a transfer came to no end. */
export class TransferFailure extends Error {
  readonly code: TransferErrorCode;

  constructor(code: TransferErrorCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** One of the requests of a transfer. */
export interface Part {
  headers: Readonly<Record<string, string>>;
  method: 'GET' | 'POST';
  /** Of the body that comes, or goes. */
  bytes: number;
  /** What the server answers if all is well. */
  status: number;
}

/** A transfer that goes on: what is known of it so far, whatever becomes of the rest. */
export class Transferring {
  readonly asked: AskedTransfer;
  readonly #askedAtMs = monotonicMs();
  readonly #lines: string[] = [];
  readonly #series: TransferMade['series'] = [];
  readonly #ended = Promise.withResolvers<never>();
  readonly #clientPorts: number[] = [];
  #connectMs: number | null = null;
  #firstByteMs: number | null = null;
  #lastByteMs: number | null = null;
  #bodyBytes = 0;
  #firstPieceBytes = 0;
  #isOver = false;

  constructor(asked: AskedTransfer) {
    this.asked = asked;
    this.#ended.promise.catch(() => {}); // Whether anything waits for it is decided later.
  }

  /** A connection is made from this port. */
  from(clientPort: number | undefined): void {
    if (clientPort !== undefined) this.#clientPorts.push(clientPort);
  }

  /** Once the client may send. */
  connected(): void {
    this.#connectMs ??= this.#elapsedMs();
  }

  /** Bytes of a body have come, or were handed over. */
  took(bytes: number): void {
    if (this.#isOver || bytes === 0) return;
    const atMs = this.#elapsedMs();
    if (this.#firstByteMs === null) {
      this.#firstByteMs = atMs;
      this.#firstPieceBytes = bytes;
    }
    this.#bodyBytes += bytes;
    if (this.asked.direction === 'download') this.#lastByteMs = atMs;
    const latest = this.#series.at(-1);
    if (latest !== undefined && atMs - latest.atMs < STEP_MS) return;
    this.#series.push({ atMs, bytes: this.#bodyBytes });
  }

  /** Takes a line of a key log. */
  keep(line: string | Buffer): void {
    this.#lines.push(`${line.toString().trimEnd()}\n`);
  }

  /** Waits for something, at most until the transfer's time is over. */
  until<T>(awaited: Promise<T>): Promise<T> {
    return Promise.race([awaited, this.#ended.promise]);
  }

  /** Carries out what transfers everything, within its time. */
  async made(transferring: Promise<void>): Promise<TransferMade> {
    const { durationMs, timeoutMs } = this.asked;
    const timer = setTimeout(() => {
      this.#ended.reject(
        new TransferFailure(
          'timeout',
          `${this.#bodyBytes} of ${this.asked.bytes} bytes were transferred within ${timeoutMs / 1000} s.`,
        ),
      );
    }, timeoutMs);
    const stop = Promise.withResolvers<void>();
    const stopper = durationMs === null ? null : setTimeout(stop.resolve, durationMs);
    let error: TransferMade['error'] = null;
    try {
      await this.until(Promise.race([transferring, stop.promise]));
      // An empty body ends with its head; the end of an upload is its last answer.
      if (this.#lastByteMs === null || this.asked.direction === 'upload') {
        this.#lastByteMs = this.#elapsedMs();
        this.#firstByteMs ??= this.#lastByteMs;
      }
    } catch (thrown) {
      const code = thrown instanceof TransferFailure ? thrown.code : 'client-failed';
      error = { code, reason: (thrown as Error).message };
    } finally {
      clearTimeout(timer);
      if (stopper !== null) clearTimeout(stopper);
    }
    this.#isOver = true;
    const atMs = this.#elapsedMs();
    return {
      askedAtMs: this.#askedAtMs,
      connectMs: this.#connectMs,
      firstByteMs: this.#firstByteMs,
      lastByteMs: this.#lastByteMs,
      bodyBytes: this.#bodyBytes,
      firstPieceBytes: this.#firstPieceBytes,
      series: [...this.#series, { atMs: this.#lastByteMs ?? atMs, bytes: this.#bodyBytes }],
      error,
      keyLog: this.#lines.join(''),
      clientPorts: this.#clientPorts,
    };
  }

  #elapsedMs(): number {
    return monotonicMs() - this.#askedAtMs;
  }
}

/** The requests of a transfer, each for an equal part of its bytes. */
export function partsOf({ bytes, streams, direction }: AskedTransfer): Part[] {
  const cuts = Array.from({ length: streams + 1 }, (_, index) =>
    Math.floor((bytes * index) / streams),
  );
  return cuts.slice(0, -1).flatMap((from, index): Part[] => {
    const until = cuts[index + 1] ?? bytes;
    // Fewer bytes than streams: there is nothing for some.
    if (until === from && streams > 1) return [];
    if (direction === 'upload') {
      const headers = { 'content-length': String(until - from) };
      return [{ method: 'POST', headers, bytes: until - from, status: 204 }];
    }
    const isWhole = streams === 1;
    const headers = isWhole ? {} : { range: `bytes=${from}-${until - 1}` };
    return [
      {
        method: 'GET',
        headers: headers as Record<string, string>,
        bytes: until - from,
        status: isWhole ? 200 : 206,
      },
    ];
  });
}

const PIECE_BYTES = 64 * 1024;
// Nobody compresses it on the way; what is in it makes no difference.
const PIECE = new Uint8Array(PIECE_BYTES).fill(0x71);

/** A body of so many bytes, piece by piece. */
export function* piecesOf(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= PIECE_BYTES) {
    yield left >= PIECE_BYTES ? PIECE : PIECE.subarray(0, left);
  }
}

/** @throws TransferFailure for another status than is expected */
export function assertStatus(
  status: number,
  { method, status: expected }: Part,
  path: string,
): void {
  if (status === expected) return;
  throw new TransferFailure(
    'http-error',
    `${method} ${path}: expected status ${expected}, got ${status}.`,
  );
}

/** @throws TransferFailure for a body that ended too early */
export function assertWhole(got: number, { method, bytes }: Part, path: string): void {
  if (got === bytes) return;
  throw new TransferFailure(
    'cut-off',
    `${method} ${path}: expected a body of ${bytes} bytes, got ${got} and then its end.`,
  );
}
