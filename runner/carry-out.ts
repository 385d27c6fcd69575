import { type Attempt, type Client, measureTrial } from '../experiments/measuring.ts';
import type { Trial } from '../ground/records/run.ts';

/** What is done beside the trials themselves. */
interface CarryOutHooks {
  /** Sets what a trial is to be measured in, when the one before has ended. */
  begin?: (trial: Trial) => Promise<void>;
  written: (trial: Trial, made: Attempt) => Promise<void>;
  signal?: AbortSignal;
}

/**
 * Carries out one trial after another. Each has the machine to itself, but for one thing: while it settles, the next one is made ready.
 * Trials are asked for one by one, when their turn has come.
 * @throws what `begin` and `written` throw, and then begins no other
 */
export async function carryOut(
  trials: AsyncGenerator<Trial>,
  client: Client,
  { begin, written, signal }: CarryOutHooks,
): Promise<void> {
  let next = prepareNext(trials, client);
  try {
    for (let ready = await next; ready; ready = await next) {
      signal?.throwIfAborted();
      const { trial, prepared } = ready;
      const notBegun = Promise.withResolvers<boolean>();
      const goesOn = Promise.race([
        client.readyForNext(prepared).then(() => true),
        notBegun.promise,
      ]);
      next = goesOn.then((may) => (may ? prepareNext(trials, client) : null));
      next.catch(() => {}); // Told when its turn has come.
      const beginning = async () => {
        try {
          await begin?.(trial);
        } catch (error) {
          // What is not measured does not settle.
          notBegun.resolve(false);
          throw error;
        }
      };
      await written(trial, await measureTrial(trial, client, prepared, beginning));
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
