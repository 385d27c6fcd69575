import type { Observation, Outcome } from '../../ground/records/observation.ts';
import { EXIT } from '../../ground/system/exit-status.ts';

/** How the attempts of an invocation came out. */
export interface Tally {
  /** Of the plan's, warm-ups apart. */
  measured: Record<Outcome, number>;
  /** Warm-ups that failed or were invalid. */
  spoiltWarmUps: number;
}

/** The tally of an invocation that has made nothing. */
export function emptyTally(): Tally {
  return { measured: { ok: 0, failed: 0, invalid: 0, unsupported: 0 }, spoiltWarmUps: 0 };
}

/** Takes note of an attempt. */
export function count(tally: Tally, { warmup, outcome }: Pick<Observation, 'warmup' | 'outcome'>) {
  if (!warmup) tally.measured[outcome]++;
  else if (outcome === 'failed' || outcome === 'invalid') tally.spoiltWarmUps++;
}

/** How many attempts have rows now, warm-ups apart. */
export function countMeasured({ measured }: Tally): number {
  return Object.values(measured).reduce((sum, each) => sum + each, 0);
}

/** The exit status that says how they came out. */
export function statusOf({ measured, spoiltWarmUps }: Tally): number {
  return measured.failed + measured.invalid + spoiltWarmUps > 0 ? EXIT.someLoadsNotOk : EXIT.ok;
}
