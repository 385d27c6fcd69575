import { type Attempt, EMPTY_ATTEMPT } from '../experiments/measuring.ts';
import { disturbanceText } from '../ground/host/interference-rule.ts';
import { attemptOf } from '../ground/records/attempt.ts';
import { NOT_TOGETHER } from '../ground/records/counted-loads.ts';
import { FORMAT } from '../ground/records/format.ts';
import type { InvocationRecord } from '../ground/records/invocation.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { PlannedArm, PlanRecord, Trial } from '../ground/records/run.ts';

/** Measurement of the path before the attempts over it. */
export interface MeasuredPath {
  measuredRttMs: number | null;
  /** Why its delay was too long, as a sentence; null: it was not. */
  pathLate: string | null;
}

/** A path that was not measured. */
const NOT_MEASURED: MeasuredPath = { measuredRttMs: null, pathLate: null };

/**
 * The row of an attempt.
 * @param order 1, 2, 3 ... in the order of execution, over all invocations
 */
export function observationOf(
  trial: Trial,
  made: Attempt,
  {
    order,
    plan,
    invocation,
    measuredPath = NOT_MEASURED,
  }: {
    order: number;
    plan: Pick<PlanRecord, 'experiment' | 'arms' | 'interferenceRule'>;
    invocation: Pick<InvocationRecord, 'id' | 'backend'>;
    measuredPath?: MeasuredPath;
  },
): Observation {
  const { machine, startedAt, details, otherArms: _, ...seen } = made;
  const found = [machine && disturbanceText(machine, plan.interferenceRule), measuredPath.pathLate];
  const disturbed = found.filter((each) => each !== null).join(' ');
  const { id, subject, arm, factors, repetition, block, warmup, filmed } = trial;
  const { stack, protocol } = armNamed(arm, plan.arms);
  return {
    ...FORMAT,
    id,
    // After the id, where rows have always had it.
    order,
    experiment: plan.experiment,
    subject,
    arm,
    stack,
    protocol,
    factors,
    repetition,
    block,
    warmup,
    ...(filmed && { filmed }),
    network: {
      ...trial.network,
      backend: invocation.backend,
      measuredRttMs: measuredPath.measuredRttMs,
    },
    ...seen,
    machine,
    disturbed: disturbed === '' ? null : disturbed,
    startedAt: startedAt.toISOString(),
    attempt: attemptOf(id),
    invocation: invocation.id,
    details,
  };
}

/** Why an attempt could not begin. */
export interface Obstacle {
  code: 'server-failed' | 'network-failed' | 'given-up' | 'given-up-broken' | 'not-together';
  message: string;
}

/** An attempt that did not begin: it has no numbers, and failed unless its obstacle has another outcome. */
export function notMadeAttempt({ code, message }: Obstacle): Attempt {
  const outcome = code === NOT_TOGETHER ? 'invalid' : 'failed';
  return { ...EMPTY_ATTEMPT, outcome, code, message, startedAt: new Date() };
}

function armNamed(name: string, arms: readonly PlannedArm[]): PlannedArm {
  const found = arms.find(({ arm }) => arm === name);
  if (!found) throw new Error(`the plan has no arm ${name}`);
  return found;
}
