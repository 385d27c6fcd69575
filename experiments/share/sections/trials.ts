import type { Observation } from '../../../ground/records/observation.ts';
import type { ChartStack } from '../../../kit/page/stack.ts';
import { type Estimate, ratioOf } from '../../../kit/text/estimate.ts';
import { logRatios } from '../../../statistics/log-ratios.ts';
import { differenceEstimate } from '../../estimates.ts';
import type { RunView, ShownArm } from '../../run-view.ts';
import type { Flow, SharingDetails } from '../records.ts';

export type Condition = RunView['conditions'][number];

export interface SharedTrial {
  /** Id of the trial that ran all flows of its block. */
  id: string;
  attempts: readonly Observation<SharingDetails>[];
}

export interface MixTrials {
  subject: string;
  trials: readonly SharedTrial[];
  /** In the order of the report's arms, each flow with its own colour. */
  flows: readonly (ChartStack & { flow: string; ofArm: ShownArm })[];
}

export function mixesOf(
  { counted, arms }: Pick<RunView, 'counted' | 'arms'>,
  { loads }: Pick<Condition, 'loads'>,
): MixTrials[] {
  const own = (loads as readonly Observation<SharingDetails>[]).filter(({ id }) => counted.has(id));
  return [...Map.groupBy(own, ({ subject }) => subject)].map(([subject, attempts]) => {
    const trials = [...Map.groupBy(attempts, ({ details }) => details?.measuredBy ?? '')];
    return {
      subject,
      trials: trials.map(([id, ofTrial]) => ({ id, attempts: ofTrial })),
      flows: flowsOf(attempts, arms),
    };
  });
}

function flowsOf(
  attempts: readonly Observation<SharingDetails>[],
  arms: readonly ShownArm[],
): MixTrials['flows'] {
  const found = arms.flatMap((arm) => {
    const details = attempts.find((each) => each.arm === arm.arm)?.details;
    const names = (details?.flows ?? []).map(({ flow }) => flow).toSorted();
    return names.map((flow, index) => ({
      flow,
      ofArm: arm,
      arm: flow,
      label: names.length === 1 ? arm.label : `${arm.label}, flow ${index + 1}`,
    }));
  });
  return found.map((each, place) => ({ ...each, place }));
}

/** A flow in a trial, with its record; null: the trial lacks it. */
export function flowIn(
  { attempts }: SharedTrial,
  name: string,
): { flow: Flow; attempt: Observation<SharingDetails> } | null {
  for (const attempt of attempts) {
    const flow = attempt.details?.flows.find((each) => each.flow === name);
    if (flow) return { flow, attempt };
  }
  return null;
}

/** A metric that is equal in all records of a trial. */
export function numberOfTrial({ attempts }: SharedTrial, metric: string): number | null {
  return attempts[0]?.metrics[metric] ?? null;
}

/** Estimated ratio of the goodputs of two arms' flows, over the trials that have both. */
export function goodputRatio(
  { trials }: MixTrials,
  arm: string,
  baseline: string,
): Estimate | null {
  const pairs = trials.flatMap(({ attempts }): [number, number][] => {
    const goodputOf = (name: string) =>
      attempts.find((each) => each.arm === name)?.metrics.goodputKbps ?? null;
    const [own, other] = [goodputOf(arm), goodputOf(baseline)];
    return own === null || other === null || own <= 0 || other <= 0 ? [] : [[own, other]];
  });
  return ratioOf(differenceEstimate(logRatios(pairs)));
}

/** The trial with the median Jain's index. */
export function medianTrial({ trials }: MixTrials): SharedTrial | null {
  const sorted = trials.toSorted(
    (a, b) => (numberOfTrial(a, 'jainIndex') ?? 0) - (numberOfTrial(b, 'jainIndex') ?? 0),
  );
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}
