import { monotonicMs } from '../../ground/system/monotonic-clock.ts';
import type { TransferErrorCode, TransferResult } from '../transfer-client.ts';
import type { SplitTransferRequest, TransferPart } from '../transfer-parts.ts';

const STEP_MS = 100;

/** Why a transfer came to no end. */
export class TransferFailure extends Error {
  readonly code: TransferErrorCode;

  constructor(code: TransferErrorCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** A transfer that goes on: what is known of it so far, whatever becomes of the rest. */
export class PendingTransfer {
  readonly request: SplitTransferRequest;
  readonly #askedAtMs = monotonicMs();
  readonly #lines: string[] = [];
  readonly #series: TransferResult['series'] = [];
  readonly #ended = Promise.withResolvers<never>();
  readonly #clientPorts: number[] = [];
  readonly #connected = Promise.withResolvers<void>();
  #connectMs: number | null = null;
  #firstByteMs: number | null = null;
  #lastByteMs: number | null = null;
  #bodyBytes = 0;
  #isOver = false;

  constructor(request: SplitTransferRequest) {
    this.request = request;
    this.#ended.promise.catch(() => {}); // Whether anything waits for it is decided later.
  }

  /** A connection is made from this port. */
  addClientPort(clientPort: number | undefined): void {
    if (clientPort !== undefined) this.#clientPorts.push(clientPort);
  }

  /** Once the client may send. */
  noteConnected(): void {
    this.#connectMs ??= this.#elapsedMs();
    this.#connected.resolve();
  }

  /** Resolves once the client may send. */
  untilConnected(): Promise<void> {
    return this.until(this.#connected.promise);
  }

  /** Bytes of a body have come, or were handed over. */
  countBytes(bytes: number): void {
    if (this.#isOver || bytes === 0) return;
    const atMs = this.#elapsedMs();
    this.#firstByteMs ??= atMs;
    this.#bodyBytes += bytes;
    if (this.request.direction === 'download') this.#lastByteMs = atMs;
  }

  /** Takes a line of a key log. */
  addKeyLogLine(line: string | Buffer): void {
    this.#lines.push(`${line.toString().trimEnd()}\n`);
  }

  /** Waits for something, at most until the transfer's time is over. */
  until<T>(awaited: Promise<T>): Promise<T> {
    return Promise.race([awaited, this.#ended.promise]);
  }

  /** Carries out what transfers everything, within its time. */
  async run(transferring: Promise<void>): Promise<TransferResult> {
    const { durationMs, timeoutMs } = this.request;
    const timer = setTimeout(() => {
      this.#ended.reject(
        new TransferFailure(
          'timeout',
          `${this.#bodyBytes} of ${this.request.bytes} bytes were transferred within ${timeoutMs / 1000} s.`,
        ),
      );
    }, timeoutMs);
    const stop = Promise.withResolvers<void>();
    const stopper = durationMs === null ? null : setTimeout(stop.resolve, durationMs);
    // While nothing arrives too: a flow that stands still is seen to.
    const steps = setInterval(() => {
      this.#series.push({ atMs: this.#elapsedMs(), bytes: this.#bodyBytes });
    }, STEP_MS);
    let error: TransferResult['error'] = null;
    try {
      await this.until(Promise.race([transferring, stop.promise]));
      // An empty body ends with its head; the end of an upload is its last answer.
      if (this.#lastByteMs === null || this.request.direction === 'upload') {
        this.#lastByteMs = this.#elapsedMs();
        this.#firstByteMs ??= this.#lastByteMs;
      }
    } catch (thrown) {
      const code = thrown instanceof TransferFailure ? thrown.code : 'client-failed';
      error = { code, reason: (thrown as Error).message };
    } finally {
      clearInterval(steps);
      clearTimeout(timer);
      if (stopper !== null) clearTimeout(stopper);
    }
    this.#isOver = true;
    const endMs = this.#elapsedMs();
    return {
      askedAtMs: this.#askedAtMs,
      connectMs: this.#connectMs,
      firstByteMs: this.#firstByteMs,
      lastByteMs: this.#lastByteMs,
      bodyBytes: this.#bodyBytes,
      series: [...this.#series, { atMs: endMs, bytes: this.#bodyBytes }],
      error,
      keyLog: this.#lines.join(''),
      clientPorts: this.#clientPorts,
    };
  }

  #elapsedMs(): number {
    return monotonicMs() - this.#askedAtMs;
  }
}

/** The header fields of a part that are not its own address. */
export function fieldsOf({ method, range, bytes }: TransferPart): Record<string, string> {
  if (method === 'POST') return { 'content-length': String(bytes) };
  return range === null ? {} : { range };
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
  { method, status: expected }: TransferPart,
  path: string,
): void {
  if (status === expected) return;
  throw new TransferFailure(
    'http-error',
    `${method} ${path}: expected status ${expected}, got ${status}.`,
  );
}

/** @throws TransferFailure for a body that ended too early */
export function assertComplete(got: number, { method, bytes }: TransferPart, path: string): void {
  if (got === bytes) return;
  throw new TransferFailure(
    'cut-off',
    `${method} ${path}: expected a body of ${bytes} bytes, got ${got} and then its end.`,
  );
}
