import type { Observation, Outcome } from '../../ground/records/observation.ts';
import { EXIT } from '../../ground/system/exit-status.ts';

/** Outcomes of an invocation's attempts. */
export interface Tally {
  /** Planned attempts, without warm-ups. */
  measured: Record<Outcome, number>;
  /** Warm-ups that failed or were invalid. */
  spoiltWarmUps: number;
}

export function emptyTally(): Tally {
  return { measured: { ok: 0, failed: 0, invalid: 0, unsupported: 0 }, spoiltWarmUps: 0 };
}

/** Counts an attempt. A filmed one decides nothing. */
export function count(
  tally: Tally,
  { warmup, filmed, outcome }: Pick<Observation, 'warmup' | 'filmed' | 'outcome'>,
) {
  if (filmed) return;
  if (!warmup) tally.measured[outcome]++;
  else if (outcome === 'failed' || outcome === 'invalid') tally.spoiltWarmUps++;
}

/** Number of attempts with rows, without warm-ups. */
export function countMeasured({ measured }: Tally): number {
  return Object.values(measured).reduce((sum, each) => sum + each, 0);
}

/** Exit status for these outcomes. */
export function statusOf({ measured, spoiltWarmUps }: Tally): number {
  return measured.failed + measured.invalid + spoiltWarmUps > 0 ? EXIT.someLoadsNotOk : EXIT.ok;
}
