import { type Attempt, type Client, measureTrial } from '../experiments/measuring.ts';
import type { Trial } from '../ground/records/run.ts';

/** Hooks around the trials. */
interface CarryOutHooks {
  /** Prepares the environment of a trial, when the previous one has ended. */
  begin?: (trial: Trial) => Promise<void>;
  written: (trial: Trial, made: Attempt) => Promise<void>;
  signal?: AbortSignal;
}

/**
 * Carries out one trial after another. Only one is measured at a time; while it settles, the next one is prepared. Takes each trial
 * from the iterator when it is due.
 * @throws what `begin` and `written` throw; no other trial begins then
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
      next.catch(() => {}); // Thrown when the trial is due.
      const beginning = async () => {
        try {
          await begin?.(trial);
        } catch (error) {
          // A trial that was not measured does not settle.
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
