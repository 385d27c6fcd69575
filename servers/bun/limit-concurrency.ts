/** Lets so many do their work at the same time; the others wait, and come in the order in which they asked. */
export function limitConcurrency(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let working = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (working >= count) await new Promise<void>((resolve) => waiting.push(resolve));
    else working++;
    try {
      return await work();
    } finally {
      // Whoever comes next takes this place.
      const next = waiting.shift();
      if (next) next();
      else working--;
    }
  };
}
