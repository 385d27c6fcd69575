import { networkKeyWithout } from '../ground/records/network.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { Estimate } from '../kit/text/estimate.ts';
import type { ConditionView, ReportView } from '../report/sections/view.ts';
import { lineThroughMedians } from '../report/summary/line-through-medians.ts';
import { seedOf } from '../report/summary/seed.ts';
import { median } from '../statistics/median.ts';
import { medianInterval } from '../statistics/median-interval.ts';

/** Reads a number from an attempt; null: the attempt does not have it. */
export type Reading = (attempt: Observation, captures: ReportView['captures']) => number | null;

export interface ReadingOf {
  arm: string;
  /** Name of a metric, or a function. */
  reading: string | Reading;
}

/** Median over the counted attempts of a condition, with its 95 % interval; null: no attempt has the number. */
export function medianIn(
  view: Pick<ReportView, 'counted' | 'captures'>,
  condition: ConditionView,
  readingOf: ReadingOf,
): Estimate | null {
  const values = valuesIn(view, condition, readingOf);
  const middle = median(values);
  return middle === null
    ? null
    : { estimate: middle, low: null, high: null, ...medianInterval(values) };
}

/** A duration as round trips, and the remainder at a round-trip time of zero, in ms. */
export type Growth = NonNullable<ReturnType<typeof lineThroughMedians>>;

/**
 * Growth of a duration with the round-trip time: the line through its medians over the conditions that differ from the first one of
 * their variant only by delay. Uses measured round-trip times, and pools all subjects. Null with fewer than two delays.
 */
export function growthIn(
  view: Pick<ReportView, 'run' | 'conditions' | 'counted' | 'captures'>,
  { variant = view.conditions[0]?.variant, ...readingOf }: ReadingOf & { variant?: string },
): Growth | null {
  const { run, conditions } = view;
  const own = conditions.filter((each) => each.variant === variant);
  const apartFromDelay = ({ network }: ConditionView) => networkKeyWithout(network, 'rttMs');
  const alike = own.filter((each) => own[0] && apartFromDelay(each) === apartFromDelay(own[0]));
  const points = alike.map((condition) => ({
    rttMs: median(measuredRttsMs(condition)) ?? condition.network.rttMs,
    valuesMs: valuesIn(view, condition, readingOf),
  }));
  const { arm, reading } = readingOf;
  const name = typeof reading === 'string' ? reading : reading.name;
  return lineThroughMedians(
    points.toSorted((a, b) => a.rttMs - b.rttMs),
    seedOf(run.seed, 'growth', variant ?? '', arm, name),
  );
}

function measuredRttsMs({ rows }: ConditionView): number[] {
  return rows.flatMap(({ network }) => network.measuredRttMs ?? []);
}

function valuesIn(
  { counted, captures }: Pick<ReportView, 'counted' | 'captures'>,
  { loads }: ConditionView,
  { arm, reading }: ReadingOf,
): number[] {
  const of: Reading =
    typeof reading === 'string' ? ({ metrics }) => metrics[reading] ?? null : reading;
  return loads
    .filter((load) => load.arm === arm && load.outcome === 'ok' && counted.has(load.id))
    .flatMap((load) => of(load, captures) ?? []);
}
