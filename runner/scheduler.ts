import type { Trial } from '../records/run.ts';
import type { Prepared, TrialContext, UnnumberedLoad } from './load/load.ts';
import { dispose, prepare } from './load/measure.ts';
import { runTrial } from './trial.ts';

/**
 * Carries out one trial after another. Each has the machine to itself, but for one thing: while its network goes quiet, the
 * next one's place is made in another browser. Trials are asked for one by one, when their turn has come.
 * @throws what `written` throws, and then begins no other
 */
export async function carryOut(
  trials: AsyncGenerator<Trial>,
  context: TrialContext,
  written: (trial: Trial, load: UnnumberedLoad) => Promise<void>,
): Promise<void> {
  let next = prepareNext(trials, context);
  try {
    for (let prepared = await next; prepared; prepared = await next) {
      context.signal?.throwIfAborted();
      const now = prepared;
      next = now.settling.promise.then(() => prepareNext(trials, context));
      next.catch(() => {}); // Told when its turn has come.
      const load = await runTrial(now.trial, context, now);
      await written(now.trial, load);
    }
  } finally {
    const left = await next.catch(() => null);
    if (left) await dispose(left);
    await trials.return(undefined);
  }
}

async function prepareNext(
  trials: AsyncGenerator<Trial>,
  context: TrialContext,
): Promise<Prepared | null> {
  const { value: trial, done } = await trials.next();
  return done ? null : prepare(trial, context);
}
