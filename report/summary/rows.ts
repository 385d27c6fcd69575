import { type Metric, numberOf } from '../../experiments/experiment.ts';
import { experimentOf } from '../../experiments/index.ts';
import { cellKey } from '../../records/cell.ts';
import { variantsOf } from '../../records/factors.ts';
import { medianLoad } from '../../records/median-load.ts';
import type { Observation, Outcome } from '../../records/observation.ts';
import type { RunRecord } from '../../records/run.ts';
import { deviationsFromMedian } from '../../statistics/mad.ts';
import { median } from '../../statistics/median.ts';
import type { Block } from './blocks.ts';
import type { BackendUsed } from './machines.ts';
import { askedOf } from '../text/condition.ts';
import { metricSummariesOf } from './metrics.ts';
import { pathUseOf } from './path-use.ts';
import { processorUseOf } from './use.ts';
import type { SummaryRow } from './summary-row.ts';

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
