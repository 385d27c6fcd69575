import type { Turn } from './watched-visit.ts';

/**
 * Does one thing after another, so that the next may get ready while what is left of the one before is put away: only the
 * part of each between the beginning and the end of its turn has the machine to itself. Items are asked for one by one, when
 * their turn has come. When one fails, none is begun any more; returns, or throws the first failure, when all that was
 * begun has come to its end.
 */
export async function inTurns<T>(
  items: Iterable<T> | AsyncIterable<T>,
  act: (item: T, turn: Turn) => Promise<void>,
): Promise<void> {
  let last: Promise<void> = Promise.resolve();
  for await (const item of items) {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const before = last;
    // A failure before is thrown below; the turn begins either way.
    last = act(item, { begins: before.catch(() => {}), ended: resolve });
    const outcomes = await Promise.allSettled([before, Promise.race([ended, last])]);
    const failure = outcomes.find(({ status }) => status === 'rejected');
    if (failure?.status !== 'rejected') continue;
    await Promise.allSettled([last]);
    throw failure.reason;
  }
  await last;
}
