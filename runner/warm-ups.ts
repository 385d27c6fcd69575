import type { Client } from '../experiments/measuring.ts';
import type { Trial } from '../ground/records/run.ts';
import type { OpenInvocation } from './campaign/open-invocation.ts';

/**
 * Tracks the warm-ups of servers and a client that are started and ended together.
 * @param arms with remaining loads
 */
export function trackWarmUps(
  { run, scheduler, isPaused, warmUpAgain }: OpenInvocation,
  client: Pick<Client, 'clientKey'>,
  arms: ReadonlySet<string>,
) {
  const { warmUps = 1 } = run.record.choices;
  /** Warm-ups begun since the start, by client (clientKey). */
  const begun = new Map<string, number>();
  const clientKey = (trial: Trial) => client.clientKey?.(trial) ?? trial.arm;
  const missing = (planned: Trial, { factors, network }: Trial) => {
    const key = clientKey({ ...planned, factors, network });
    // A planned warm-up of a stack warms one of its browsers.
    const isPending = key === clientKey(planned) && scheduler.expects(planned.id);
    return warmUps - (begun.get(key) ?? 0) - Number(isPending);
  };
  return {
    /** Warm-ups that are due before a load: of all stacks after a start of all, or of one stack that was paused then. */
    due(before: Trial, which: 'all' | 'own'): Trial[] {
      const due = run.plan.trials.filter(
        (planned) =>
          isWarmUp(planned) &&
          planned.subject === before.subject &&
          (which === 'all' || planned.arm === before.arm) &&
          arms.has(planned.arm) &&
          missing(planned, before) > 0 &&
          !isPaused({ ...before, arm: planned.arm }),
      );
      // Interleaved like the counted loads.
      return Array.from({ length: warmUps }, (_, turn) =>
        due.filter((planned) => missing(planned, before) > turn),
      )
        .flat()
        .map((planned) => warmUpAgain(planned, before));
    },
    begin(trial: Trial): void {
      const key = clientKey(trial);
      if (isWarmUp(trial)) begun.set(key, (begun.get(key) ?? 0) + 1);
    },
    /** Forgets the closed client's warm-ups: the next load has a new client. */
    forget: () => begun.clear(),
  };
}

function isWarmUp({ warmup, filmed }: Trial): boolean {
  return warmup && !filmed;
}
