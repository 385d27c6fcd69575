import { monotonicMs } from '../../ground/system/monotonic-clock.ts';
import { serverTimingMs } from '../server-timing.ts';
import type { TransferErrorCode, TransferResult } from '../transfer-client.ts';
import type { SplitTransferRequest, TransferPart } from '../transfer-parts.ts';

const STEP_MS = 100;

/** Why a transfer failed. */
export class TransferFailure extends Error {
  readonly code: TransferErrorCode;

  constructor(code: TransferErrorCode, reason: string) {
    super(reason);
    this.code = code;
  }
}

export class PendingTransfer {
  readonly request: SplitTransferRequest;
  readonly #requestedAtMs = monotonicMs();
  readonly #lines: string[] = [];
  readonly #series: TransferResult['series'] = [];
  readonly #ended = Promise.withResolvers<never>();
  readonly #clientPorts: number[] = [];
  readonly #connected = Promise.withResolvers<void>();
  #connectMs: number | null = null;
  #firstByteMs: number | null = null;
  #lastByteMs: number | null = null;
  #bodyBytes = 0;
  #serverMs: number | null = null;
  #isOver = false;

  constructor(request: SplitTransferRequest) {
    this.request = request;
    this.#ended.promise.catch(() => {}); // May be awaited later.
  }

  /** Notes the local port of a connection. */
  addClientPort(clientPort: number | undefined): void {
    if (clientPort !== undefined) this.#clientPorts.push(clientPort);
  }

  /** Notes that the client may send from now on. */
  noteConnected(): void {
    this.#connectMs ??= this.#elapsedMs();
    this.#connected.resolve();
  }

  /** Resolves when the client may send. */
  untilConnected(): Promise<void> {
    return this.until(this.#connected.promise);
  }

  /** Counts body bytes received or handed over for sending. */
  countBytes(bytes: number): void {
    if (this.#isOver || bytes === 0) return;
    const atMs = this.#elapsedMs();
    this.#firstByteMs ??= atMs;
    this.#bodyBytes += bytes;
    if (this.request.direction === 'download') this.#lastByteMs = atMs;
  }

  /** Notes the field Server-Timing of a response, if it has one. */
  noteServerTiming(value: unknown): void {
    if (value !== undefined) this.#serverMs ??= serverTimingMs([String(value)]);
  }

  addKeyLogLine(line: string | Buffer): void {
    this.#lines.push(`${line.toString().trimEnd()}\n`);
  }

  /** Waits at most until the transfer's timeout. */
  until<T>(awaited: Promise<T>): Promise<T> {
    return Promise.race([awaited, this.#ended.promise]);
  }

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
    // Samples at fixed intervals so that a stall shows too.
    const steps = setInterval(() => {
      this.#series.push({ atMs: this.#elapsedMs(), bytes: this.#bodyBytes });
    }, STEP_MS);
    let error: TransferResult['error'] = null;
    try {
      await this.until(Promise.race([transferring, stop.promise]));
      // An empty body ends with its headers; an upload ends with its last response.
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
      requestedAtMs: this.#requestedAtMs,
      connectMs: this.#connectMs,
      firstByteMs: this.#firstByteMs,
      lastByteMs: this.#lastByteMs,
      bodyBytes: this.#bodyBytes,
      series: [...this.#series, { atMs: endMs, bytes: this.#bodyBytes }],
      error,
      keyLog: this.#lines.join(''),
      clientPorts: this.#clientPorts,
      ...(this.#serverMs !== null && { serverMs: this.#serverMs }),
    };
  }

  #elapsedMs(): number {
    return monotonicMs() - this.#requestedAtMs;
  }
}

/** Request fields of a part in addition to method, scheme, authority and path. */
export function fieldsOf({ method, range, bytes }: TransferPart): Record<string, string> {
  if (method === 'POST') return { 'content-length': String(bytes) };
  return range === null ? {} : { range };
}

const PIECE_BYTES = 64 * 1024;
// Arbitrary content: nothing on the path compresses it.
const PIECE = new Uint8Array(PIECE_BYTES).fill(0x71);

/** A body of this length in pieces. */
export function* piecesOf(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= PIECE_BYTES) {
    yield left >= PIECE_BYTES ? PIECE : PIECE.subarray(0, left);
  }
}

/** The body of an upload, each piece counted when it is taken. */
export async function* uploadPieces(
  part: TransferPart,
  pending: PendingTransfer,
): AsyncGenerator<Uint8Array> {
  for (const piece of piecesOf(part.bytes)) {
    pending.countBytes(piece.length);
    yield piece;
  }
}

/** @throws TransferFailure for an unexpected status */
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

/** @throws TransferFailure for a truncated body */
export function assertComplete(got: number, { method, bytes }: TransferPart, path: string): void {
  if (got === bytes) return;
  throw new TransferFailure(
    'cut-off',
    `${method} ${path}: expected a body of ${bytes} bytes, got ${got} and then its end.`,
  );
}
