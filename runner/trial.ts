import type { Trial } from '../records/run.ts';
import { judge } from './load/judge.ts';
import type { Prepared, TrialContext, UnnumberedLoad } from './load/load.ts';
import { dispose, measure, prepare } from './load/measure.ts';

/**
 * One planned load, carried out. Only an interruption is thrown.
 * @param preparing its place, where that was made ahead
 */
export async function runTrial(
  trial: Trial,
  context: TrialContext,
  preparing: Prepared | Promise<Prepared> = prepare(trial, context),
): Promise<UnnumberedLoad> {
  const prepared = await preparing;
  try {
    const measured = await measure(prepared, context);
    return await judge(prepared, measured, context);
  } finally {
    await dispose(prepared);
  }
}
