import type { Description } from './statistics/description.ts';
import type { Interval } from './statistics/interval.ts';

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
