/**
 * Result of a promise, or of `late` if it is not settled within a time limit.
 * @param limitMs Infinity: only the signal ends the wait
 * @param late may throw
 * @throws the signal's reason when it is aborted
 */
export async function withDeadline<T, L = never>(
  promise: Promise<T>,
  limitMs: number,
  late: () => L,
  signal?: AbortSignal,
): Promise<T | L> {
  const { promise: passed, resolve, reject } = Promise.withResolvers<typeof PASSED>();
  // Events that arrived while this program had no processor are handled before the timeout.
  const timer = Number.isFinite(limitMs)
    ? setTimeout(() => setImmediate(resolve, PASSED), limitMs)
    : undefined;
  const abort = () => reject(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  // Late results and errors are ignored.
  promise.catch(() => {});
  try {
    const first = await Promise.race([passed, promise]);
    return first === PASSED ? late() : (first as T);
  } finally {
    clearTimeout(timer);
    // The signal may outlive thousands of promises.
    signal?.removeEventListener('abort', abort);
  }
}

const PASSED = Symbol('passed');
