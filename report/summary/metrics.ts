import { type Experiment, type Metric, numberOf } from '../../experiments/experiment.ts';
import type { Observation } from '../../records/observation.ts';
import { type Description, describe } from '../../statistics/description.ts';
import type { Interval } from '../../statistics/interval.ts';
import { medianInterval } from '../../statistics/median-interval.ts';

/** One metric over the counted loads of a row; `n` is the number of loads that have a value. */
export interface MetricSummary extends Description {
  /** 95 % interval of the median; null below 6 values. */
  medianInterval: Interval | null;
  /** Loads without a value, by the reason; empty when all have one. */
  missing: MissingValues[];
}

export interface MissingValues {
  /** A clause that can follow "no value because". */
  reason: string;
  count: number;
}

/** Describes every metric of an experiment over the attempts given, by its name. */
export function metricSummariesOf(
  { metrics }: Experiment,
  attempts: readonly Observation[],
): Record<string, MetricSummary> {
  return Object.fromEntries(
    metrics.map((metric) => [metric.name, metricSummaryOf(metric, attempts)]),
  );
}

function metricSummaryOf(metric: Metric, attempts: readonly Observation[]): MetricSummary {
  const values = attempts.flatMap((attempt) => numberOf(attempt, metric) ?? []);
  const missing = Map.groupBy(
    attempts.filter((attempt) => numberOf(attempt, metric) === null),
    (attempt) => metric.missing(attempt),
  );
  return {
    ...describe(values),
    medianInterval: medianInterval(values),
    missing: [...missing].map(([reason, own]) => ({ reason, count: own.length })),
  };
}

/** What is known of a metric in a row; a row knows each metric of its experiment. */
export function summaryOf(
  { metrics }: { metrics: Readonly<Record<string, MetricSummary>> },
  { name }: Pick<Metric, 'name'>,
): MetricSummary {
  const found = metrics[name];
  if (!found) throw new Error(`a row without the metric ${name}`);
  return found;
}
