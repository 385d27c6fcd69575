import type { Attempt } from '../experiments/measuring.ts';
import { disturbance } from '../ground/host/rule.ts';
import { attemptOf } from '../ground/records/attempt.ts';
import { NOT_TOGETHER } from '../ground/records/counted-loads.ts';
import { FORMAT } from '../ground/records/format.ts';
import type { InterferenceRule } from '../ground/records/machine-use.ts';
import type { NetworkBackend } from '../ground/records/network.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { PlannedArm, PlanRecord, Trial } from '../ground/records/run.ts';

/** A record that has no row yet: writing it gives it its number in the order actually run. */
export type Unnumbered = Omit<Observation, 'order'>;

/** What the path was measured to be before the attempts over it. */
export interface MeasuredPath {
  measuredRttMs: number | null;
  /** Why it was late, as a sentence; null: it was not. */
  pathLate: string | null;
}

/** What the frame knows of an attempt beside what came of it. */
export interface Circumstances {
  plan: Pick<PlanRecord, 'experiment' | 'arms'>;
  backend: NetworkBackend;
  invocation: string;
  measuredPath: MeasuredPath;
  interferenceRule: InterferenceRule;
}

/** The record of an attempt. */
export function observationOf(
  trial: Trial,
  made: Attempt,
  { plan, backend, invocation, measuredPath, interferenceRule }: Circumstances,
): Unnumbered {
  const { machine, startedAt, details, others: _, ...seen } = made;
  const found = [machine && disturbance(machine, interferenceRule), measuredPath.pathLate];
  const disturbed = found.filter((each) => each !== null).join(' ');
  return {
    ...plannedFields(trial, plan),
    network: { ...trial.network, backend, measuredRttMs: measuredPath.measuredRttMs },
    ...seen,
    machine,
    disturbed: disturbed === '' ? null : disturbed,
    startedAt: startedAt.toISOString(),
    attempt: attemptOf(trial.id),
    invocation,
    details,
  };
}

/** Why an attempt could not even be begun. */
export interface Obstacle {
  code: 'server-failed' | 'network-failed' | 'given-up' | 'given-up-broken' | 'not-together';
  message: string;
}

/** The record of a planned attempt that could not be begun: it has no numbers, and failed unless another one did. */
export function unmadeObservation(
  trial: Trial,
  { code, message }: Obstacle,
  { plan, backend, invocation }: Pick<Circumstances, 'plan' | 'backend' | 'invocation'>,
): Unnumbered {
  return {
    ...plannedFields(trial, plan),
    network: { ...trial.network, backend, measuredRttMs: null },
    client: null,
    outcome: code === NOT_TOGETHER ? 'invalid' : 'failed',
    code,
    message,
    metrics: {},
    path: null,
    connections: null,
    machine: null,
    disturbed: null,
    stepsMs: {},
    files: {},
    startedAt: new Date().toISOString(),
    attempt: attemptOf(trial.id),
    invocation,
    details: null,
  };
}

/** What the plan says of an attempt. */
function plannedFields(trial: Trial, { experiment, arms }: Circumstances['plan']) {
  const { id, subject, arm, factors, repetition, block, warmup } = trial;
  const { stack, protocol } = armNamed(arm, arms);
  return {
    ...FORMAT,
    id,
    experiment,
    subject,
    arm,
    stack,
    protocol,
    factors,
    repetition,
    block,
    warmup,
  };
}

function armNamed(name: string, arms: readonly PlannedArm[]): PlannedArm {
  const found = arms.find(({ arm }) => arm === name);
  if (!found) throw new Error(`the plan has no arm ${name}`);
  return found;
}
