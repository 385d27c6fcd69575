import type { PageLoad } from '../records/page-load.ts';
import { METRICS } from './metrics/index.ts';
import type { Metric, MetricName } from './metrics/metric.ts';
import { type Description, describe } from './statistics/description.ts';
import type { Interval } from './statistics/interval.ts';
import { medianInterval } from './statistics/median-interval.ts';

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

/** Describes every metric over the loads given. */
export function metricSummariesOf(loads: readonly PageLoad[]): Record<MetricName, MetricSummary> {
  return Object.fromEntries(
    METRICS.map((metric) => [metric.name, metricSummaryOf(metric, loads)]),
  ) as Record<MetricName, MetricSummary>;
}

function metricSummaryOf(metric: Metric, loads: readonly PageLoad[]): MetricSummary {
  const values: number[] = [];
  const missing = new Map<string, number>();
  for (const load of loads) {
    const { value, reason } = metric.of(load);
    if (value === null) missing.set(reason, (missing.get(reason) ?? 0) + 1);
    else values.push(value);
  }
  return {
    ...describe(values),
    medianInterval: medianInterval(values),
    missing: [...missing].map(([reason, count]) => ({ reason, count })),
  };
}
