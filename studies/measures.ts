import { differenceEstimate } from '../experiments/estimates.ts';
import type { ConnectionTransport } from '../ground/records/connection-transport.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import { type Estimate, ratioOf } from '../kit/text/estimate.ts';
import type { ConditionView, ReportView } from '../report/sections/view.ts';
import { growthIn, medianIn, type Reading, type ReadingOf } from './readings.ts';

/** Finds an arm of a run; null: the run has none of the kind. Controls are left out. */
export type FindArm = (view: Pick<ReportView, 'run'>) => string | null;

type ArmReading = readonly [arm: FindArm, reading: ReadingOf['reading']];

/** Computes what a claim is about from a run; null: the run does not have it. */
export type Measure = (view: ReportView, condition: ConditionView | null) => Estimate | null;

export function armBy(via: ConnectionTransport): FindArm {
  return ({ run }) => run.arms.find((each) => each.via === via && !each.controlOf)?.arm ?? null;
}

/** The first arm whose protocol is, or is not, that one. */
export function armOf(protocol: Protocol, is = true): FindArm {
  return ({ run }) =>
    run.arms.find((each) => (each.protocol === protocol) === is && !each.controlOf)?.arm ?? null;
}

export function withDelay(rttMs: number) {
  return ({ conditions }: Pick<ReportView, 'conditions'>): ConditionView | null =>
    conditions.find(({ network }) => network.rttMs === rttMs) ?? null;
}

/** The round trips that a time waits for: the slope of the line through its medians over the delays. */
export function roundTrips(of: ArmReading): Measure {
  return (view) => {
    const asked = inRun(view, of);
    return asked && (growthIn(view, asked)?.roundTrips ?? null);
  };
}

export function medianOf(of: ArmReading): Measure {
  return (view, condition) => {
    const asked = inRun(view, of);
    return asked && condition && medianIn(view, condition, asked);
  };
}

/** By how much, or how many times, a number exceeds another in the attempts of a block: Hodges-Lehmann with its 95 % interval. */
export function comparePairs(
  how: 'difference' | 'ratio',
  late: ArmReading,
  early: ArmReading,
): Measure {
  return (view, condition) => {
    const pairs = pairsIn(view, condition, late, early);
    return how === 'difference'
      ? differenceEstimate(pairs.map(([a, b]) => a - b))
      : ratioOf(differenceEstimate(pairs.map(([a, b]) => Math.log(a / b))));
  };
}

function inRun(view: ReportView, [find, reading]: ArmReading): ReadingOf | null {
  const arm = find(view);
  return arm === null ? null : { arm, reading };
}

function pairsIn(
  view: ReportView,
  condition: ConditionView | null,
  late: ArmReading,
  early: ArmReading,
): [number, number][] {
  const own = (condition?.loads ?? []).filter(
    ({ id, outcome }) => outcome === 'ok' && view.counted.has(id),
  );
  const blocks = Map.groupBy(own, ({ subject, block }) => JSON.stringify([subject, block]));
  return [...blocks.values()].flatMap((block): [number, number][] => {
    const [lateValue, earlyValue] = [late, early].map((of) =>
      valueIn(view, block, inRun(view, of)),
    );
    return lateValue == null || earlyValue == null ? [] : [[lateValue, earlyValue]];
  });
}

function valueIn(
  { captures }: ReportView,
  block: readonly Observation[],
  asked: ReadingOf | null,
): number | null {
  const attempt = block.find(({ arm }) => arm === asked?.arm);
  if (!attempt || !asked) return null;
  const { reading } = asked;
  const of: Reading =
    typeof reading === 'string' ? ({ metrics }) => metrics[reading] ?? null : reading;
  return of(attempt, captures);
}
