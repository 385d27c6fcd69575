/**
 * What a promise gives, or what `late` gives when it has given nothing within so many ms.
 * @param limitMs Infinity: only the signal ends the waiting
 * @param late may throw, for what must come in time
 * @throws the signal's reason as soon as it is aborted
 */
export async function withDeadline<T, L = never>(
  promise: Promise<T>,
  limitMs: number,
  late: () => L,
  signal?: AbortSignal,
): Promise<T | L> {
  const { promise: passed, resolve, reject } = Promise.withResolvers<typeof PASSED>();
  // What came while this program had no processor is heard before it is too late.
  const timer = Number.isFinite(limitMs)
    ? setTimeout(() => setImmediate(resolve, PASSED), limitMs)
    : undefined;
  const abort = () => reject(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  // What comes too late is no news, an error neither.
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
