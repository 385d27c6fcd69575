/** Limits the work done at the same time; waiting calls run in order of arrival. */
export function limitConcurrency(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let working = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (working >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else working++;
    try {
      return await work();
    } finally {
      // The next call takes this slot.
      const next = waiting.shift();
      if (next) next();
      else working--;
    }
  };
}
