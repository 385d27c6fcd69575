import { withoutFilmed } from '../../ground/records/filmed.ts';
import { FORMAT } from '../../ground/records/format.ts';
import type { InvocationRecord } from '../../ground/records/invocation.ts';
import type { LookRecord, StopReason } from '../../ground/records/look.ts';
import type { Observation } from '../../ground/records/observation.ts';
import type { PlanRecord } from '../../ground/records/run.ts';
import { decidedConditions, fractionAt } from '../../report/summary/looks.ts';

/** Input of a look: an interim analysis that may end the run. */
interface LookSource {
  plan: PlanRecord;
  /** Id of the invocation that looks. */
  invocation: string;
  invocations: readonly InvocationRecord[];
  observations: readonly Observation[];
  before: readonly LookRecord[];
}

/** When a look is taken, and whether it may decide. */
export interface LookTime {
  elapsedMs: number;
  /** Set when no further block follows, whether or not conditions are decided. */
  end: Exclude<StopReason, 'decided'> | null;
  /** false: only spends error for data that may have been seen before an interruption. */
  mayDecide: boolean;
}

/** Decides conditions, and whether the run ends; the look at the end spends all remaining error. */
export function takeLook(
  { plan, invocation, invocations, observations, before }: LookSource,
  { elapsedMs, end, mayDecide }: LookTime,
  now = new Date(),
): LookRecord {
  const fraction = end === null ? fractionAt(plan, observations, before) : 1;
  const order = observations.at(-1)?.order ?? 0;
  const looks = [...before, { order, fraction }];
  const { decided, all } = mayDecide
    ? decidedConditions(plan, { invocations, observations, looks })
    : { decided: before.at(-1)?.decided ?? [], all: false };
  return {
    ...FORMAT,
    invocation,
    at: now.toISOString(),
    order,
    elapsedMs,
    fraction,
    decided: [...decided],
    end: all ? 'decided' : end,
  };
}

/** Whether a run that may continue has loads that no look included. */
export function hasUnseenLoads({
  looks,
  observations,
}: Pick<AnalysedRun, 'looks' | 'observations'>): boolean {
  return (withoutFilmed(observations).at(-1)?.order ?? 0) > (looks.at(-1)?.order ?? 0);
}

/** Records of earlier invocations that looks need. */
interface AnalysedRun {
  looks: readonly LookRecord[];
  invocations: readonly Pick<InvocationRecord, 'id' | 'startedAt'>[];
  observations: readonly Pick<
    Observation,
    'order' | 'invocation' | 'startedAt' | 'stepsMs' | 'filmed'
  >[];
}

/** Budget used, in ms, without filmed loads: up to the last look, plus each later invocation up to its last load. */
export function spentMsOf({ looks, invocations, observations }: AnalysedRun): number {
  const last = looks.at(-1);
  const sinceLook = Map.groupBy(
    observations.filter(({ order }) => order > (last?.order ?? 0)),
    ({ invocation }) => invocation,
  );
  return invocations.reduce((spentMs, { id, startedAt }) => {
    const own = sinceLook.get(id) ?? [];
    const ended = own.map(endMsOf);
    if (ended.length === 0) return spentMs;
    const fromMs = Date.parse(last?.invocation === id ? last.at : startedAt);
    const filmedMs = sum(own.filter(({ filmed }) => filmed).map(durationMsOf));
    return spentMs + Math.max(0, Math.max(...ended) - fromMs - filmedMs);
  }, last?.elapsedMs ?? 0);
}

function endMsOf(load: AnalysedRun['observations'][number]): number {
  return Date.parse(load.startedAt) + durationMsOf(load);
}

function durationMsOf({ stepsMs }: AnalysedRun['observations'][number]): number {
  return sum(Object.values(stepsMs));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
