import { experimentOf } from '../../experiments/index.ts';
import { type Metric, numberOf, worsening } from '../../ground/experiment.ts';
import { cellKey } from '../../ground/records/cell.ts';
import { variantsOf } from '../../ground/records/factors.ts';
import { medianLoad } from '../../ground/records/median-load.ts';
import type { NetworkCondition } from '../../ground/records/network.ts';
import { conditionFieldsOf, networkKey, networkSchema } from '../../ground/records/network.ts';
import type { Observation, Outcome } from '../../ground/records/observation.ts';
import { protocolSchema } from '../../ground/records/protocol.ts';
import type { RunRecord } from '../../ground/records/run.ts';
import * as s from '../../ground/records/schema.ts';
import { deviationsFromMedian } from '../../statistics/mad.ts';
import { median } from '../../statistics/median.ts';
import { type Block, countedIn } from './blocks.ts';
import { variant as variantField } from './fields.ts';
import type { BackendUsed } from './machines.ts';
import { backendUsedSchema } from './machines.ts';
import { metricSummariesOf, metricSummarySchema } from './metrics.ts';
import { pathUseOf, pathUseSchema, processorUseOf, processorUseSchema } from './use.ts';

/** Loads further off, in scaled median absolute deviations, are flagged; a common choice (Iglewicz and Hoaglin 1993). */
const OUTLIER_DEVIATIONS = 3.5;

/** Sites in the plan's order, within a site the networks, then the visits, then the stacks; only what was planned. */
export function summaryRowsOf(
  run: RunRecord,
  observations: readonly Observation[],
  blocks: readonly Block[],
  { metric, backend }: { metric: Metric; backend: BackendUsed },
): SummaryRow[] {
  const experiment = experimentOf(run);
  const plannedOfCell = Map.groupBy(run.trials, cellKey);
  const loadsOfCell = Map.groupBy(observations, cellKey);
  const countedLoads = new Set(countedIn(blocks));
  const rows: SummaryRow[] = [];
  for (const { subject, source } of run.subjects) {
    for (const network of run.networks) {
      for (const variant of variantsOf(run)) {
        for (const { arm, label, protocol, controlOf } of run.arms) {
          const key = cellKey({ subject, network, variant, arm });
          const planned = plannedOfCell.get(key);
          if (!planned) continue;
          const made = loadsOfCell.get(key) ?? [];
          const counted = made.filter((load) => countedLoads.has(load));
          const measuredRttMs = median(made.flatMap((load) => load.network.measuredRttMs ?? []));
          const counts = countsOf(made);
          rows.push({
            subject,
            source,
            arm,
            label,
            protocol,
            controlOf,
            network: { ...conditionFieldsOf(network), backend, measuredRttMs },
            variant,
            n: counted.length,
            nPlanned: planned.filter(({ warmup }) => !warmup).length,
            ...counts,
            nExcluded: counts.nOk - counted.length,
            nDisturbed: counted.filter(({ disturbed }) => disturbed !== null).length,
            metrics: metricSummariesOf(experiment, counted),
            processor: processorUseOf(counted),
            path: pathUseOf(counted),
            ...outliersOf(counted, metric),
          });
        }
      }
    }
  }
  return rows;
}

function countsOf(made: readonly Observation[]) {
  const measured = made.filter((load) => !load.warmup);
  const ofOutcome = (outcome: Outcome) =>
    measured.filter((load) => load.outcome === outcome).length;
  return {
    nOk: ofOutcome('ok'),
    nFailed: ofOutcome('failed'),
    nInvalid: ofOutcome('invalid'),
    nWarmup: made.length - measured.length,
  };
}

function outliersOf(
  counted: readonly Observation[],
  metric: Metric,
): Pick<SummaryRow, 'outliers' | 'loads'> {
  const timed = counted.flatMap((load) => {
    const value = numberOf(load, metric);
    return value === null ? [] : [{ id: load.id, value: worsening(value, metric) }];
  });
  const deviations = deviationsFromMedian(timed.map(({ value }) => value));
  const sorted = timed.toSorted((a, b) => a.value - b.value);
  const [fastest, slowest] = [sorted.at(0), sorted.at(-1)];
  const middle = medianLoad(timed);
  return {
    outliers: timed.flatMap(({ id }, index) =>
      Math.abs(deviations[index] ?? 0) > OUTLIER_DEVIATIONS ? [id] : [],
    ),
    loads:
      fastest && middle && slowest
        ? { fastest: fastest.id, median: middle.id, slowest: slowest.id }
        : null,
  };
}

const ids = (description: string) => s.list(s.name('Id of a load.'), description);

export const summaryRowSchema = s.object(
  {
    subject: s.name('Name of the site.'),
    source: s.text('Where the page comes from, as a sentence.'),
    arm: s.name('Name of the stack.'),
    label: s.text('For tables.'),
    protocol: protocolSchema,
    controlOf: s.orNull(
      s.name('The stack that this one repeats in the control; null: not a control.'),
    ),
    network: s.object(
      {
        ...networkSchema.properties,
        backend: backendUsedSchema,
        measuredRttMs: s.orNull(
          s.number("Median over the row's loads, in ms; null where none has one."),
        ),
      },
      'As configured, and as measured.',
    ),
    variant: variantField,
    n: s.count('Loads that the statistics speak of: nOk - nExcluded.'),
    nPlanned: s.count('Loads planned, without warm-ups.'),
    nOk: s.count('Ok loads.'),
    nFailed: s.count('Failed loads.'),
    nInvalid: s.count('Invalid loads.'),
    nExcluded: s.count(
      'Ok loads excluded because those of their block were made on several machines, or because they are there twice.',
    ),
    nDisturbed: s.count('Of the n loads, those that were made while the machine was not quiet.'),
    nWarmup: s.count('Warm-ups made, with any outcome; in no other count.'),
    metrics: { ...s.map(metricSummarySchema, 'The metrics by their names.'), minProperties: 1 },
    processor: s.withDescription(
      processorUseSchema,
      'Processor use and pressure of the n loads: medians; null: not measured.',
    ),
    path: s.withDescription(
      pathUseSchema,
      'Traffic of the n loads over the path: medians; null: not measured.',
    ),
    outliers: ids(
      'Counted loads whose number (that of verdicts) lies more than 3.5 scaled median absolute deviations off: flagged, and still counted.',
    ),
    loads: s.orNull(
      s.object(
        {
          fastest: s.name('Id of the load with the best number of the metric of verdicts.'),
          median: s.name('Id of the median load; of two the better one.'),
          slowest: s.name('Id of the load with the worst.'),
        },
        'The counted loads that show the row best.',
      ),
      'The counted loads that show the row best; null without loads.',
    ),
  },
  'One site x network condition x visit x stack. Warm-ups are in nWarmup and in nothing else.',
);

export type SummaryRow = s.Static<typeof summaryRowSchema>;

export interface ConditionRows {
  condition: NetworkCondition;
  variant: string;
  rows: SummaryRow[];
}

/** The conditions of a run, network by network in the order of its plan, each with its rows. */
export function conditionsOf(rows: readonly SummaryRow[]): ConditionRows[] {
  const conditions = Map.groupBy(rows, ({ network, variant }) =>
    JSON.stringify([networkKey(network), variant]),
  );
  return [...conditions.values()].flatMap((found) =>
    found[0]
      ? [{ condition: conditionFieldsOf(found[0].network), variant: found[0].variant, rows: found }]
      : [],
  );
}

export function rowsBySite(rows: readonly SummaryRow[]): Map<string, SummaryRow[]> {
  return Map.groupBy(rows, ({ subject }) => subject);
}
