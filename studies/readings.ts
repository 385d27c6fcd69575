import { networkKeyWithout } from '../ground/records/network.ts';
import type { Observation } from '../ground/records/observation.ts';
import type { Estimate } from '../kit/text/estimate.ts';
import type { ConditionView, ReportView } from '../report/sections/view.ts';
import { lineThroughMedians } from '../report/summary/line-through-medians.ts';
import { seedOf } from '../report/summary/seed.ts';
import { median } from '../statistics/median.ts';
import { medianInterval } from '../statistics/median-interval.ts';

/** What is read off attempts; null: such an attempt has none. */
export type Reading = (attempt: Observation, captures: ReportView['captures']) => number | null;

export interface ReadingOf {
  arm: string;
  /** Of a metric of that name, or whatever else an attempt tells. */
  reading: string | Reading;
}

/** The median of a number over the counted attempts of a condition, with its 95 % interval; null: no attempt has it. */
export function medianIn(
  view: Pick<ReportView, 'counted' | 'captures'>,
  condition: ConditionView,
  asked: ReadingOf,
): Estimate | null {
  const values = valuesIn(view, condition, asked);
  const middle = median(values);
  return middle === null
    ? null
    : { estimate: middle, low: null, high: null, ...medianInterval(values) };
}

/** How long something takes: the round trips that it waits for, and what is left without any, in ms. */
export type Growth = NonNullable<ReturnType<typeof lineThroughMedians>>;

/**
 * How a time grows with the round-trip time: the line through its medians over the conditions that are like the first one of their
 * variant but for the delay, whose round-trip times are those measured. Attempts at all subjects are taken together.
 * Null with fewer than two delays.
 */
export function growthIn(
  view: Pick<ReportView, 'run' | 'conditions' | 'counted' | 'captures'>,
  { variant = view.conditions[0]?.variant, ...asked }: ReadingOf & { variant?: string },
): Growth | null {
  const { run, conditions } = view;
  const own = conditions.filter((each) => each.variant === variant);
  const apartFromDelay = ({ network }: ConditionView) => networkKeyWithout(network, 'rttMs');
  const alike = own.filter((each) => own[0] && apartFromDelay(each) === apartFromDelay(own[0]));
  const points = alike.map((condition) => ({
    rttMs: median(measuredRttsMs(condition)) ?? condition.network.rttMs,
    valuesMs: valuesIn(view, condition, asked),
  }));
  const name = typeof asked.reading === 'string' ? asked.reading : asked.reading.name;
  return lineThroughMedians(
    points.toSorted((a, b) => a.rttMs - b.rttMs),
    seedOf(run.seed, 'growth', variant ?? '', asked.arm, name),
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
