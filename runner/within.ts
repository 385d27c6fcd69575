/** What a promise gives, or null when it has given nothing within so many ms. */
export function within<T>(promise: Promise<T>, limitMs: number): Promise<T | null> {
  const limit = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), limitMs).unref();
  });
  return Promise.race([promise, limit]);
}
