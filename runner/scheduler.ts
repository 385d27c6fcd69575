import { type Attempt, attempt, type Client } from '../experiments/measuring.ts';
import type { Trial } from '../records/run.ts';

/**
 * Carries out one trial after another. Each has the machine to itself, but for one thing: while it settles, the next one is made ready.
 * Trials are asked for one by one, when their turn has come.
 * @throws what `written` throws, and then begins no other
 */
export async function carryOut(
  trials: AsyncGenerator<Trial>,
  client: Client,
  written: (trial: Trial, made: Attempt) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let next = prepareNext(trials, client);
  try {
    for (let ready = await next; ready; ready = await next) {
      signal?.throwIfAborted();
      const { trial, prepared } = ready;
      next = client.settling(prepared).then(() => prepareNext(trials, client));
      next.catch(() => {}); // Told when its turn has come.
      await written(trial, await attempt(trial, client, prepared));
    }
  } finally {
    const left = await next.catch(() => null);
    if (left) await client.dispose(left.prepared);
    await trials.return(undefined);
  }
}

async function prepareNext(
  trials: AsyncGenerator<Trial>,
  client: Client,
): Promise<{ trial: Trial; prepared: unknown } | null> {
  const { value: trial, done } = await trials.next();
  return done ? null : { trial, prepared: await client.prepare(trial) };
}
