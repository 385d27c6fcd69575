import { type Experiment, type Metric, numberOf } from '../../ground/experiment.ts';
import type { Observation } from '../../ground/records/observation.ts';
import * as s from '../../ground/records/schema.ts';
import { describe } from '../../statistics/description.ts';
import { medianInterval } from '../../statistics/median-interval.ts';

const missingSchema = s.object(
  {
    reason: s.name("A clause that can follow 'no value because'."),
    count: s.count('Loads.'),
  },
  'Loads without a value for one reason.',
);

const ofSample = (description: string) => s.orNull(s.anyNumber(description));

export const metricSummarySchema = s.object(
  {
    n: s.count('Loads that have a value.'),
    mean: ofSample('Arithmetic mean.'),
    median: ofSample('Quantile of type 7 at 0.5.'),
    standardDeviation: ofSample('With n - 1.'),
    minimum: ofSample('Smallest value.'),
    maximum: ofSample('Largest value.'),
    medianInterval: s.orNull(
      s.object(
        { low: s.anyNumber('Lower end.'), high: s.anyNumber('Upper end.') },
        '95 % interval of the median.',
      ),
      '95 % interval of the median; null below 6 values.',
    ),
    missing: s.list(
      missingSchema,
      'Loads without a value, by the reason; empty when all have one.',
    ),
  },
  "One metric over the counted loads of a row, in the metric's unit.",
);

type MetricSummary = s.Static<typeof metricSummarySchema>;

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

/** Statistics of a metric in a row, which has each metric of its experiment. */
export function summaryOf(
  { metrics }: { metrics: Readonly<Record<string, MetricSummary>> },
  { name }: Pick<Metric, 'name'>,
): MetricSummary {
  const found = metrics[name];
  if (!found) throw new Error(`a row without the metric ${name}`);
  return found;
}
