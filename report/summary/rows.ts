import { type Metric, numberOf } from '../../experiments/experiment.ts';
import { experimentOf } from '../../experiments/index.ts';
import { cellKey } from '../../records/cell.ts';
import { variantsOf } from '../../records/factors.ts';
import { medianLoad } from '../../records/median-load.ts';
import type { AskedNetwork, NetworkRecord } from '../../records/network.ts';
import type { Observation, Outcome } from '../../records/observation.ts';
import type { Protocol } from '../../records/protocol.ts';
import type { RunRecord } from '../../records/run.ts';
import { deviationsFromMedian } from '../../statistics/mad.ts';
import { median } from '../../statistics/median.ts';
import type { Block } from './blocks.ts';
import { askedOf, conditionKey } from './condition.ts';
import type { BackendUsed } from './machines.ts';
import { type MetricSummary, metricSummariesOf } from './metrics.ts';
import { type PathUse, type ProcessorUse, pathUseOf, processorUseOf } from './use.ts';

/** Further off than so many scaled median absolute deviations, a load is flagged; a common choice (Iglewicz and Hoaglin 1993). */
const OUTLIER_DEVIATIONS = 3.5;

/** Sites in the plan's order, within a site the networks, then the visits, then the stacks; only what was planned. */
export function summaryRowsOf(
  run: RunRecord,
  observations: readonly Observation[],
  blocks: ReadonlyMap<string, readonly Block[]>,
  { metric, backend }: { metric: Metric; backend: BackendUsed },
): SummaryRow[] {
  const experiment = experimentOf(run);
  const plannedOfCell = Map.groupBy(run.trials, cellKey);
  const loadsOfCell = Map.groupBy(observations, cellKey);
  const countedLoads = new Set(
    [...blocks.values()].flat().flatMap(({ loads }) => [...loads.values()]),
  );
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
            network: { ...askedOf(network), backend, measuredRttMs },
            variant,
            n: counted.length,
            nPlanned: planned.filter(({ warmup }) => !warmup).length,
            ...counts,
            nExcluded: counts.nOk - counted.length,
            nDisturbed: counted.filter(({ disturbed }) => disturbed !== null).length,
            metrics: metricSummariesOf(experiment, counted),
            processor: processorUseOf(counted),
            path: pathUseOf(counted),
            ...standingOut(counted, metric),
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

function standingOut(
  counted: readonly Observation[],
  metric: Metric,
): Pick<SummaryRow, 'outliers' | 'loads'> {
  const timed = counted.flatMap((load) => {
    const value = numberOf(load, metric);
    return value === null ? [] : [{ id: load.id, value }];
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

/** One site x network condition x visit x stack. Warm-ups are in `nWarmup` and in nothing else. */
export interface SummaryRow {
  subject: string;
  /** Where the page comes from, as a sentence. */
  source: string;
  arm: string;
  label: string;
  protocol: Protocol;
  /** The stack that this one repeats in the control; null: it is no control. */
  controlOf: string | null;
  /** As asked for; `measuredRttMs` is the median over the row's loads, null where none has one. */
  network: Omit<NetworkRecord, 'backend'> & { backend: BackendUsed };
  variant: string;
  /** Loads that the statistics speak of: nOk - nExcluded. */
  n: number;
  nPlanned: number;
  nOk: number;
  nFailed: number;
  nInvalid: number;
  /** Ok loads left out because another load of their block is not ok or is missing. */
  nExcluded: number;
  /** Of the n loads, those that were made while the machine was not quiet. */
  nDisturbed: number;
  /** Warm-ups made, whatever came of them. */
  nWarmup: number;
  metrics: Record<string, MetricSummary>;
  /** Over the n loads. */
  processor: ProcessorUse;
  /** Over the n loads. */
  path: PathUse;
  /** Ids of counted loads whose time (that of verdicts) lies more than 3.5 scaled median absolute deviations off: kept, only flagged. */
  outliers: string[];
  /** Ids of the counted loads that show the row best; null without loads. */
  loads: { fastest: string; median: string; slowest: string } | null;
}

/** The rows of one condition: a network condition and a kind of visit. */
export interface ConditionRows {
  condition: AskedNetwork;
  variant: string;
  rows: SummaryRow[];
}

/** The conditions of a run, network by network in the order of its plan, each with its rows. */
export function conditionsOf(rows: readonly SummaryRow[]): ConditionRows[] {
  const conditions = Map.groupBy(rows, ({ network, variant }) =>
    JSON.stringify([conditionKey(network), variant]),
  );
  return [...conditions.values()].flatMap((found) =>
    found[0]
      ? [{ condition: askedOf(found[0].network), variant: found[0].variant, rows: found }]
      : [],
  );
}

/** The rows of each site, in the order of the plan. */
export function rowsBySite(rows: readonly SummaryRow[]): Map<string, SummaryRow[]> {
  return Map.groupBy(rows, ({ subject }) => subject);
}
