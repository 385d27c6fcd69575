import { differenceEstimate } from '../experiments/estimates.ts';
import type { ConnectionTransport } from '../ground/records/connection-transport.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { Protocol } from '../ground/records/protocol.ts';
import { type Estimate, ratioOf } from '../kit/text/estimate.ts';
import type { ConditionView, ReportView } from '../report/sections/view.ts';
import { growthIn, medianIn, type Reading, type ReadingOf } from './readings.ts';

/** Finds an arm of a run that is no control; null: the run has no such arm. */
export type FindArm = (view: Pick<ReportView, 'run'>) => string | null;

type ArmReading = readonly [arm: FindArm, reading: ReadingOf['reading']];

/** Computes the number of a claim; null: the run does not have it. */
export type Measure = (view: ReportView, condition: ConditionView | null) => Estimate | null;

export function armBy(transport: ConnectionTransport): FindArm {
  return ({ run }) =>
    run.arms.find((arm) => arm.transport === transport && !arm.controlOf)?.arm ?? null;
}

/** The first arm with this protocol, or with another one if `is` is false. */
export function armOf(protocol: Protocol, is = true): FindArm {
  return ({ run }) =>
    run.arms.find((each) => (each.protocol === protocol) === is && !each.controlOf)?.arm ?? null;
}

export function withDelay(rttMs: number) {
  return ({ conditions }: Pick<ReportView, 'conditions'>): ConditionView | null =>
    conditions.find(({ network }) => network.rttMs === rttMs) ?? null;
}

/** Round trips of a duration: slope of the line through its medians over the delays. */
export function roundTrips(of: ArmReading): Measure {
  return (view) => {
    const reading = inRun(view, of);
    return reading && (growthIn(view, reading)?.roundTrips ?? null);
  };
}

export function medianOf(of: ArmReading): Measure {
  return (view, condition) => {
    const reading = inRun(view, of);
    return reading && condition && medianIn(view, condition, reading);
  };
}

/** Difference or ratio between the attempts of a block: Hodges-Lehmann with its 95 % interval. */
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
  readingOf: ReadingOf | null,
): number | null {
  const attempt = block.find(({ arm }) => arm === readingOf?.arm);
  if (!attempt || !readingOf) return null;
  const { reading } = readingOf;
  const of: Reading =
    typeof reading === 'string' ? ({ metrics }) => metrics[reading] ?? null : reading;
  return of(attempt, captures);
}
