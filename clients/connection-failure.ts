import type { FailureReason } from '../ground/records/connection-attempt.ts';

/** Why a request failed. */
export class Failure extends Error implements FailureReason {
  readonly layer: FailureReason['layer'];
  readonly code: string;

  constructor(layer: FailureReason['layer'], code: string, reason: string) {
    super(reason);
    this.layer = layer;
    this.code = code;
  }

  get reason(): string {
    return this.message;
  }
}

/** Converts a Node error to a failure of a layer; keeps an existing Failure. */
export function failureOf(error: unknown, layer: FailureReason['layer']): Failure {
  if (error instanceof Failure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return new Failure(layer, code ?? 'failed', message);
}

/** Awaits a promise; throws `late()` at the timeout, or the reason of the signal. */
export async function within<T>(
  promise: Promise<T>,
  timeoutMs: number,
  signal: AbortSignal,
  late: () => Error,
): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const timer = setTimeout(() => stopped.reject(late()), timeoutMs);
  const stop = () => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  promise.catch(() => {}); // The promise may reject after the timeout.
  try {
    return await Promise.race([promise, stopped.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
